"""Reads a server's description of itself from gRPC's reflection service, without generated code.

Replaces the package grpcio-reflection, which Debian 12 does not have: the class has the same name and methods.
"""

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

_METHOD = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"


# Returns the class of a message for its descriptor. Before 4.22, protobuf has another name for this function.
if hasattr(message_factory, "GetMessageClass"):
    message_class = message_factory.GetMessageClass
else:
    message_class = message_factory.MessageFactory().GetPrototype


def _reflection_messages():
    """The needed messages of grpc/reflection/v1alpha/reflection.proto."""
    field = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(name="reflection.proto", package="reflection", syntax="proto3")
    request = file.message_type.add(name="Request")
    request.field.add(name="file_by_filename", number=3, type=field.TYPE_STRING, label=field.LABEL_OPTIONAL)
    request.field.add(name="file_containing_symbol", number=4, type=field.TYPE_STRING, label=field.LABEL_OPTIONAL)
    files = file.message_type.add(name="Files")
    files.field.add(name="file_descriptor_proto", number=1, type=field.TYPE_BYTES, label=field.LABEL_REPEATED)
    error = file.message_type.add(name="Error")
    error.field.add(name="error_code", number=1, type=field.TYPE_INT32, label=field.LABEL_OPTIONAL)
    error.field.add(name="error_message", number=2, type=field.TYPE_STRING, label=field.LABEL_OPTIONAL)
    response = file.message_type.add(name="Response")
    for name, number, kind in (("files", 4, "Files"), ("error", 7, "Error")):
        response.field.add(
            name=name, number=number, type=field.TYPE_MESSAGE, type_name=f".reflection.{kind}",
            label=field.LABEL_OPTIONAL)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return [message_class(pool.FindMessageTypeByName(f"reflection.{name}")) for name in ("Request", "Response")]


class ProtoReflectionDescriptorDatabase:
    """Gives the server's descriptor files to a descriptor_pool.DescriptorPool."""

    def __init__(self, channel):
        self._request, response = _reflection_messages()
        self._call = channel.stream_stream(
            _METHOD, request_serializer=self._request.SerializeToString, response_deserializer=response.FromString)
        self._files = {}

    def FindFileByName(self, name):
        if name not in self._files:
            self._ask(self._request(file_by_filename=name))
        return self._files[name]

    def FindFileContainingSymbol(self, symbol):
        return self._files[self._ask(self._request(file_containing_symbol=symbol))]

    def _ask(self, request):
        """Keeps the files that the server gives, and returns the name of the first."""
        response = next(self._call(iter([request]), timeout=60))
        if response.error.error_code != 0:
            raise KeyError(response.error.error_message)
        files = [descriptor_pb2.FileDescriptorProto.FromString(file) for file in response.files.file_descriptor_proto]
        self._files.update((file.name, file) for file in files)
        return files[0].name

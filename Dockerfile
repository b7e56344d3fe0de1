# The server on any machine. It uses an NVIDIA GPU's driver if the runtime brings one (docker run --gpus all), and the
# processor otherwise.
#
#   docker build -t thalweg .                      the server
#   docker build -t thalweg-mesa --target mesa .   the same with Mesa's drivers, for GPUs of AMD and Intel (--device /dev/dri)
#   docker build -t thalweg-bake --target bake .   the same with GDAL, which bakes of GeoTIFF, PNG and GeoPackage need
FROM debian:bookworm-slim AS build
# Packages come first: they are installed again only when their list changes.
COPY deploy/packages /thalweg/deploy/packages
RUN /thalweg/deploy/packages build bundle
COPY . /thalweg
WORKDIR /thalweg
RUN deploy/build --preset quickstart --sets all thalwegd thalweg \
  && deploy/bundle --folder --out /opt/thalweg

FROM debian:bookworm-slim AS server
COPY deploy/packages /usr/local/sbin/thalweg-packages
# Nobody in the container may become another user: the base's su, mount and passwd lose their setuid bits.
RUN thalweg-packages run image \
  && apt-get clean \
  && rm -rf /var/lib/apt/lists/* /var/log/apt /var/log/dpkg.log /var/cache/debconf/*-old \
  && find / -xdev -type f -perm /6000 -exec chmod a-s {} +
COPY --from=build /opt/thalweg /opt/thalweg
# NVIDIA's runtime counts Vulkan as graphics: for `compute` only, it mounts no Vulkan driver.
ENV NVIDIA_DRIVER_CAPABILITIES=graphics,compute,utility PATH=/opt/thalweg/bin:/usr/bin:/bin HOME=/tmp
USER 10001:10001
# gRPC, and HTTP with the viewer.
EXPOSE 7070 8080
# The server ends by itself on SIGTERM, within --drain-s.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["thalweg", "health", "--server", "127.0.0.1:7070"]
ENTRYPOINT ["thalwegd"]
# These addresses are the container's. docker's -p decides who can reach them: see deploy/README.md.
CMD ["serve", "--listen", "0.0.0.0:7070", "--http", "0.0.0.0:8080", "--allow-insecure", "--allow-direct"]
# These lines change with every build. They come last, so that nothing before them is built again.
ARG VERSION=unreleased
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Thalweg" \
  org.opencontainers.image.description="A streaming service of infinite, eroded terrain" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.base.name="docker.io/library/debian:bookworm-slim" \
  org.opencontainers.image.version="$VERSION" \
  org.opencontainers.image.revision="$REVISION"

FROM server AS bake
USER root
RUN PATH=$PATH:/usr/sbin:/sbin:/usr/local/sbin thalweg-packages gdal \
  && apt-get clean \
  && rm -rf /var/lib/apt/lists/* /var/log/apt /var/log/dpkg.log /var/cache/debconf/*-old \
  && find / -xdev -type f -perm /6000 -exec chmod a-s {} +
USER 10001:10001
# A bake serves nothing that could be checked.
HEALTHCHECK NONE

FROM server AS mesa
USER root
RUN PATH=$PATH:/usr/sbin:/sbin:/usr/local/sbin thalweg-packages mesa \
  && apt-get clean \
  && rm -rf /var/lib/apt/lists/* /var/log/apt /var/log/dpkg.log /var/cache/debconf/*-old \
  && find / -xdev -type f -perm /6000 -exec chmod a-s {} +
USER 10001:10001

# The image that is built without --target.
FROM server

// A package that brings no types.
declare module '@here/quantized-mesh-decoder';

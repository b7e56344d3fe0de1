// Packages without types.
declare module '@here/quantized-mesh-decoder';
declare module 'gltf-validator';
declare module 'pngjs';

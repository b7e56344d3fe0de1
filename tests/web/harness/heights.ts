// The server's heights, by SampleHeights over gRPC.
import {credentials, loadPackageDefinition, type ServiceClientConstructor} from '@grpc/grpc-js';
import {loadSync} from '@grpc/proto-loader';
import {fileURLToPath} from 'node:url';

const protoFolder = fileURLToPath(new URL('../../../proto', import.meta.url));

interface Request {
  world: string;
  level: number;
  east_m?: number[];
  south_m?: number[];
  latitude_deg?: number[];
  longitude_deg?: number[];
}

type Sample = (
  request: Request, done: (error: Error | null, response: {heights: number[]}) => void) => void;

// The heights of points at a level, in metres above the datum.
export function sampleHeights(address: string, request: Request): Promise<number[]> {
  const definition = loadSync('thalweg/v1/terrain.proto', {
    includeDirs: [protoFolder], keepCase: true,
  });
  const root = loadPackageDefinition(definition) as unknown as {
    thalweg: {v1: {TerrainService: ServiceClientConstructor}};
  };
  const client = new root.thalweg.v1.TerrainService(address, credentials.createInsecure());
  const sample = (client as unknown as {SampleHeights: Sample}).SampleHeights.bind(client);
  return new Promise((resolve, reject) => {
    sample(request, (error, response) => {
      client.close();
      if (error) reject(error);
      else resolve(response.heights.map((height) => height / 65536));
    });
  });
}

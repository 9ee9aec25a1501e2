// Owns what the composition root takes from this folder, by one import(): one lazy chunk of the build. Holds no code.
export { parseBaseUrl } from './address.ts';
export { createCourier } from './courier.ts';
export { checkKey, isWellFormed, kindOf, maskKey } from './credentials.ts';
export { createRemoteEngine } from './engine.ts';
export { rawCall, rowOf } from './raw.ts';

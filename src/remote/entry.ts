// Everything the command line uses from this folder, loaded by one import().
export { parseBaseUrl } from './address.ts';
export { checkKey, isWellFormedKey as isWellFormed, kindOf, maskKey } from './credentials.ts';
export { createRemoteEngine } from './engine.ts';
export { findRow as rowOf, rawCall } from './raw.ts';
export { createTransfers } from './transfers.ts';
export { webExchange } from './web-exchange.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Samples of 8 bits. */
export interface Form extends Size {
  readonly channels: 1 | 3;
}

/** Its samples, row after row. */
export interface Raster extends Form {
  readonly pixels: Uint8Array;
}

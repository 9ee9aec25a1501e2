export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A part of a picture, in pixels. */
export interface PictureArea extends Size {
  readonly left: number;
  readonly top: number;
}

/** Samples of 8 bits. */
export interface SampleForm extends Size {
  readonly channels: 1 | 3;
}

/** Its samples, row after row. */
export interface Raster extends SampleForm {
  readonly pixels: Uint8Array;
}

// What a container says of the sound in it.

export interface Chapter {
  readonly title: string;
  /** Samples from the beginning. */
  readonly start: number;
}

export interface Picture {
  readonly mediaType: 'image/jpeg' | 'image/png';
  readonly bytes: Uint8Array;
}

export interface Book {
  readonly title: string;
  readonly author?: string | undefined;
  readonly cover?: Picture | undefined;
  readonly chapters: readonly Chapter[];
  /** Of sound, in samples. */
  readonly samples: number;
  readonly sampleRate: number;
}

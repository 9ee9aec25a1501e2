// Facts about a book that its file tells players.

export interface Chapter {
  readonly title: string;
  /** Samples from the beginning. */
  readonly start: number;
}

export interface CoverImage {
  readonly mediaType: 'image/jpeg' | 'image/png';
  readonly bytes: Uint8Array;
}

export interface Book {
  readonly title: string;
  readonly author?: string | undefined;
  readonly cover?: CoverImage | undefined;
  readonly chapters: readonly Chapter[];
  /** Length of the sound, in samples. */
  readonly samples: number;
  readonly sampleRate: number;
}

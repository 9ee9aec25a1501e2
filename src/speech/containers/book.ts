// Facts about a book that its file tells players.

export interface Chapter {
  readonly title: string;
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
  readonly samples: number;
  readonly sampleRate: number;
}

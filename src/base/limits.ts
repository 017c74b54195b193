/** Bounds on what one call may ask for. An error of code `LIMIT_EXCEEDED` names the limit, its value and what was asked. */
export interface Limits {
  /** Bytes of text and data in one request. */
  readonly requestBytes: number;
  /** Changes in one call. */
  readonly changes: number;
  /** Edits in one change. */
  readonly editsPerChange: number;
  /** Bytes of a file that is read or edited as text. */
  readonly textBytes: number;
  /** Bytes of a file that is read or written as bytes. */
  readonly binaryBytes: number;
  /** Lines in one page of a file. */
  readonly pageLines: number;
  /** Bytes in one page of a file. */
  readonly pageBytes: number;
}

const mebibyte = 1024 * 1024;

/** Limits of a workspace opened by a program. */
export const libraryLimits: Limits = {
  requestBytes: 256 * mebibyte,
  changes: 100_000,
  editsPerChange: 10_000,
  textBytes: 64 * mebibyte,
  binaryBytes: 1024 * mebibyte,
  pageLines: 10_000_000,
  pageBytes: 64 * mebibyte,
};

/** Limits of tools that are called by a model. */
export const toolLimits: Limits = {
  requestBytes: mebibyte,
  changes: 100,
  editsPerChange: 200,
  textBytes: 64 * mebibyte,
  binaryBytes: 1024 * mebibyte,
  pageLines: 2_000,
  pageBytes: 131_072,
};

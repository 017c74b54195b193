/** The lines of a patch, one after the other. A line ends at LF; one CR before it is no part of it. */
export class PatchReader {
  readonly #text: string;
  readonly #isCrlf: boolean;
  #at = 0;
  #end = 0;
  #line: string | undefined;
  #number = 1;

  /** Begins at the first line. */
  constructor(text: string) {
    this.#text = text;
    this.#load();
    // A header that ends in CRLF shows that the whole patch was given other line ends than it was made with.
    this.#isCrlf = this.#endsInCr() && /^(?:\*\*\*|diff |---|@@|Index:)/.test(this.#line ?? "");
  }

  /** Number of the next line, from 1. */
  get number(): number {
    return this.#number;
  }

  /** The next line; `undefined` after the last. */
  get line(): string | undefined {
    return this.#line;
  }

  /** Whether the next line says that it ends in CRLF. */
  get crlf(): boolean {
    return !this.#isCrlf && this.#endsInCr();
  }

  /** The beginning of the line after the next. */
  following(length: number): string {
    return this.#text.slice(this.#end + 1, this.#end + 1 + length);
  }

  /** Goes on to the line after the next one, which it gives. */
  next(): string {
    const line = this.#line ?? "";
    this.#at = this.#end + 1;
    this.#number++;
    this.#load();
    return line;
  }

  #load(): void {
    const text = this.#text;
    if (this.#at >= text.length) {
      this.#line = undefined;
      return;
    }
    const found = text.indexOf("\n", this.#at);
    this.#end = found < 0 ? text.length : found;
    this.#line = text.slice(this.#at, this.#endsInCr() ? this.#end - 1 : this.#end);
  }

  #endsInCr(): boolean {
    return this.#end > this.#at && this.#end < this.#text.length && this.#text[this.#end - 1] === "\r";
  }
}

// What is wrong with a file, in words for the reader.

/** A file that cannot be used: the message says what was expected, what was found, and what to do. */
export class FileError extends Error {}

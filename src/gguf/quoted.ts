/** Text from a file, safe to print on one line. */
export const quoted = (text: string): string =>
  JSON.stringify(text.slice(0, 64)).replace(/[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '?')

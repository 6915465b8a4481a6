/** The file cannot be used. The message continues a sentence that begins with its path: "is damaged: …". */
export class GgufRefused extends Error {
  override readonly name = 'GgufRefused'
}

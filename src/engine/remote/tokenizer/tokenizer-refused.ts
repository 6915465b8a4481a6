/** A tokenizer file that cannot be used; the message is a part of a sentence, for the operator. */
export class TokenizerRefused extends Error {
  override readonly name = 'TokenizerRefused'
}

import { likeliestToken, openDirect } from './open-direct.ts'

/** The reference for `start`: one token, written as soon as it is generated. */
const llama = await openDirect()
const tokens = llama.vocabulary.tokenise('Hello!', { special: false, continued: false })
await llama.decode([{ sequence: 0, position: 0, tokens, isSampled: true }], (_, logits) =>
  console.log(likeliestToken(logits())),
)
process.exit(0)

import { likeliestToken, openDirect } from './open-direct.ts'

/** The reference for `start`: one token, written as soon as it is generated. */
const llama = await openDirect()
const tokens = llama.vocabulary.tokenise('Hello!', { special: false, continued: false })
const logitsOf = await llama.decode([{ sequence: 0, position: 0, tokens, isSampled: true }])
console.log(likeliestToken(logitsOf(0)))
process.exit(0)

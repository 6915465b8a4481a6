import type { Grammar } from './grammar.ts'

/**
 * A grammar as bytes, to send from the compiling thread to the engine: each step copies bytes instead of hundreds of
 * thousands of objects.
 */
export type PackedGrammar = Uint8Array<ArrayBuffer>

export const packGrammar = (grammar: Grammar): PackedGrammar => new TextEncoder().encode(JSON.stringify(grammar))

/** Only for bytes that `packGrammar` wrote. */
export const unpackGrammar = (packed: PackedGrammar): Grammar => asGrammar(JSON.parse(new TextDecoder().decode(packed)))

/** True because packed grammars never leave the program. */
const asGrammar = (value: unknown): Grammar => value as Grammar

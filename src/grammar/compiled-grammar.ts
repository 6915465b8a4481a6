/**
 * A grammar as bytes that a matcher reads as they are: sending it to the engine copies bytes, and nothing has to be built
 * there. Multi-byte numbers are big-endian. It begins with the address of its root. A part is named by its address:
 *
 * - sequence, choice: kind, number of parts (4 bytes), their addresses (4 bytes each)
 * - repeat: kind, minimum (4), maximum (4), address of the part (4)
 * - state of an automaton over bytes: kind and flags, number of edges (2), and for each edge the lowest and the highest byte
 *   and the address of the next state (4). With the flag `chain` there is a single edge instead, for the one byte that
 *   follows, and the next state comes right after it. Edges of a state may overlap; no state is reached twice.
 *
 * Equal automata are written once.
 */
export type CompiledGrammar = Uint8Array<ArrayBuffer>

/** The two lowest bits of a part's first byte. */
export const partKinds = { sequence: 0, choice: 1, repeat: 2, state: 3 } as const
/** Of a state: the text may end here. */
export const acceptsFlag = 4
export const chainFlag = 8
/** The maximum of a repetition that has none. */
export const unlimited = 0xffff_ffff

const kindMask = 3
const linkBytes = 4
const listHeader = 1 + 4
const stateHeader = 1 + 2
const edgeBytes = 2 + linkBytes
const chainBytes = 2

export type GrammarReader = ReturnType<typeof readGrammar>

/** Does not check the bytes: `compileGrammar` wrote them, and they never leave the program. */
export const readGrammar = (grammar: CompiledGrammar) => {
  const view = new DataView(grammar.buffer, grammar.byteOffset, grammar.byteLength)
  const isChain = (state: number): boolean => (view.getUint8(state) & chainFlag) !== 0
  const edgeAt = (state: number, edge: number): number => state + stateHeader + edge * edgeBytes
  return {
    root: view.getUint32(0),
    kindOf: (part: number): number => view.getUint8(part) & kindMask,
    /** Of a sequence or a choice. */
    partCount: (part: number): number => view.getUint32(part + 1),
    partAt: (part: number, index: number): number => view.getUint32(part + listHeader + index * linkBytes),
    repeatMin: (part: number): number => view.getUint32(part + 1),
    repeatMax: (part: number): number | null => {
      const max = view.getUint32(part + 5)
      return max === unlimited ? null : max
    },
    repeatedPart: (part: number): number => view.getUint32(part + 9),
    accepts: (state: number): boolean => (view.getUint8(state) & acceptsFlag) !== 0,
    edgeCount: (state: number): number => (isChain(state) ? 1 : view.getUint16(state + 1)),
    edgeLow: (state: number, edge: number): number => view.getUint8(isChain(state) ? state + 1 : edgeAt(state, edge)),
    edgeHigh: (state: number, edge: number): number =>
      view.getUint8(isChain(state) ? state + 1 : edgeAt(state, edge) + 1),
    edgeTarget: (state: number, edge: number): number =>
      isChain(state) ? state + chainBytes : view.getUint32(edgeAt(state, edge) + 2),
  }
}

import { jsonPieces } from '../../../http/json/json-pieces.ts'

/** Short enough that others hardly notice it, and long enough that there are few turns. */
const pieceLength = 16_384

/** The JSON text of a document. Between the pieces of a long one, others have their turn if `turnAfter` says so. */
export const writeInTurns = async (
  document: object,
  turnAfter: (bytes: number) => Promise<void> | undefined,
): Promise<string[]> => {
  const pieces: string[] = []
  let piece = ''
  for (const more of jsonPieces(document)) {
    piece += more
    if (piece.length < pieceLength) continue
    pieces.push(piece)
    const turn = turnAfter(piece.length)
    piece = ''
    if (turn !== undefined) await turn
  }
  return [...pieces, piece]
}

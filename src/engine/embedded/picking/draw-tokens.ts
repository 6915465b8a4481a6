import type { FullSampling } from '../../sampling.ts'
import type { Sequence } from '../llama.ts'
import type { Hold } from './hold.ts'
import { createPicker, type PickedToken } from './picker.ts'
import { chooseWay, type Way } from './way.ts'

type DrawOptions = {
  sequence: Sequence
  /** The end of the prompt, which the sequence has not read yet. */
  unread: readonly number[]
  /** The answer so far. Whoever takes a token puts it here, and tells the hold, before asking for the next. */
  answered: readonly number[]
  sampling: FullSampling
  hold: Hold
  tokenBytes: (id: number) => Uint8Array
  endsGeneration: (id: number) => boolean
}

/**
 * The tokens of an answer, one after the other, each found in the cheapest way that can find it. It goes on for as long as
 * it is asked, end tokens and stop ids included, and ends by itself only where the grammar leaves nothing but an end.
 */
export async function* drawTokens(options: DrawOptions): AsyncGenerator<PickedToken, void> {
  const { sequence, answered, sampling, hold, endsGeneration } = options
  const stopIds = new Set(sampling.stopIds)
  const tooShort = () => answered.length < sampling.minTokens
  const way = (): Way =>
    chooseWay(sampling, { held: hold.active(), endsBarred: sampling.ignoreEnd || tooShort(), endsGeneration })
  const allows = (id: number): boolean => {
    if (endsGeneration(id)) return !sampling.ignoreEnd && !tooShort() && hold.mayEnd()
    return stopIds.has(id) ? !tooShort() && hold.mayEnd() : hold.allows(id)
  }
  const picker = createPicker({ ...options, allows })
  let { unread } = options
  for (;;) {
    let refused = false
    if (way() === 'native') {
      for await (const id of sequence.continue(unread, { ...sampling, answered })) {
        refused = !allows(id)
        if (refused) break
        yield { id }
        unread = [id]
        if (way() !== 'native') break
      }
      if (!refused && way() === 'native') throw new Error('llama.cpp stopped without an end token')
    }
    const picked = refused ? await picker.again(unread) : await picker[way() === 'full' ? 'full' : 'top'](unread)
    if (picked === null && !hold.mayEnd()) throw new Error('no token of the vocabulary fits the grammar')
    if (picked === null) return
    yield picked
    unread = [picked.id]
  }
}

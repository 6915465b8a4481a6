import type { ItemStep } from '../../engine/contract.ts'
import type { AnswerPiece } from './answer-piece.ts'
import { isCallItem, openNativeCall, openNativeItem, readItemFields } from './native-item.ts'
import type { ItemFields, OpenItem } from './open-item.ts'
import type { UnnumberedEvent } from './stream-events.ts'

type ItemsOptions = {
  /** Adds the item that is created for this place in the output, unless there is none. */
  open(create: (outputIndex: number) => OpenItem | null): { item: OpenItem | null; events: UnnumberedEvent[] }
  close(item: OpenItem, status: 'completed' | 'incomplete'): UnnumberedEvent[]
}

/** The items of an upstream that has the Responses API itself, by the numbers that it gives them. Their texts come as other pieces. */
export const createUpstreamItems = ({ open, close }: ItemsOptions) => {
  const numbered = new Map<number, OpenItem>()
  /** A call that begins with the next piece. */
  let announced: { index: number; fields: ItemFields } | null = null
  let entered: OpenItem | null = null
  const add = (index: number, create: (outputIndex: number) => OpenItem | null): UnnumberedEvent[] => {
    const { item, events } = open(create)
    if (item !== null) numbered.set(index, item)
    entered = item
    return events
  }
  const end = (index: number, fields: ItemFields): UnnumberedEvent[] => {
    const item = numbered.get(index)
    numbered.delete(index)
    if (item === undefined) return []
    if (item === entered) entered = null
    item.settle?.(fields)
    return close(item, fields.status === 'incomplete' ? 'incomplete' : 'completed')
  }
  return {
    /** The item whose text follows; null if any may. */
    entered: () => entered,
    change(step: ItemStep): UnnumberedEvent[] {
      const { index } = step
      if (step.step === 'part') {
        entered = numbered.get(index) ?? null
        return entered?.enter?.(step.part, step.partIndex) ?? []
      }
      const fields = readItemFields(step.json)
      if (step.step === 'done') return end(index, fields)
      announced = isCallItem(fields) ? { index, fields } : null
      return announced === null ? add(index, (outputIndex) => openNativeItem(fields, outputIndex)) : []
    },
    /** Null if the call is none that was announced. */
    call(piece: Extract<AnswerPiece, { type: 'call' }>): UnnumberedEvent[] | null {
      if (announced === null) return null
      const { index, fields } = announced
      announced = null
      return add(index, (outputIndex) => openNativeCall(fields, outputIndex, piece))
    },
  }
}

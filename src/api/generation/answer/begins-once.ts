import type { Delivery } from '../delivery/delivery.ts'
import type { ChoiceEvent, NumberedEvent } from '../output/choice.ts'

/** An event without text takes about this much memory. */
export const eventBytes = 200

/** As how many parts it is sent. */
export const countParts = (event: ChoiceEvent): number => (event.type === 'content' ? (event.pieces?.length ?? 1) : 1)

/** Reports the size of the first piece to the delivery, and ignores later ones. */
export const beginsOnce = (delivery: Pick<Delivery, 'begin'>): ((numbered: NumberedEvent) => void) => {
  let hasBegun = false
  return ([, event]) => {
    if (hasBegun || event.type === 'finish') return
    hasBegun = true
    const textBytes = 'text' in event ? Buffer.byteLength(event.text) : 0
    delivery.begin(Math.ceil((eventBytes * countParts(event) + textBytes) / Math.max(1, event.emitted.tokens)))
  }
}

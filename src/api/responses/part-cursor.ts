import type { ItemStep } from '../../engine/contract.ts'
import type { OutputItem } from './items.ts'
import { readItemFields } from './native-item.ts'

type ReadingItem = { id: string; parts: number; summaries: number }

/** Reads the texts of items again, part by part, in the order in which an upstream wrote them. */
export const createPartCursor = (output: readonly OutputItem[]) => {
  const items = new Map<number, ReadingItem>()
  const texts = new Map<string, { text: string; at: number }>()
  let current: { text: string; at: number } | null = null
  return {
    step(step: Exclude<ItemStep, { step: 'done' }>): void {
      if (step.step === 'added') {
        items.set(step.index, { id: String(readItemFields(step.json).id), parts: 0, summaries: 0 })
        return
      }
      const item = items.get(step.index)
      const found = output.find(({ id }) => id === item?.id)
      if (item === undefined || found === undefined) return
      const key = `${step.index} ${step.part} ${step.partIndex}`
      const known = texts.get(key)
      if (known !== undefined) {
        current = known
        return
      }
      const isSummary = step.part === 'summary_text'
      current = { text: partText(found, isSummary, isSummary ? item.summaries : item.parts), at: 0 }
      texts.set(key, current)
      if (isSummary) item.summaries += 1
      else item.parts += 1
    },
    /** Null if no part was entered. */
    take(length: number): string | null {
      if (current === null) return null
      current.at += length
      return current.text.slice(current.at - length, current.at)
    },
  }
}

const partText = (item: OutputItem, isSummary: boolean, index: number): string => {
  if (item.type === 'reasoning') return (isSummary ? item.summary : (item.content ?? []))[index]?.text ?? ''
  if (item.type !== 'message') return ''
  const part = item.content[index]
  return part?.type === 'refusal' ? part.refusal : (part?.text ?? '')
}

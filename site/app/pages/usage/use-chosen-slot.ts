import { useState } from 'react'
import type { Usage } from '../../../../src/platform/contract/usage.ts'
import { buildSlots } from './usage-slots.ts'

/** The slots of the chart, and the one that is pointed at, as long as there is one. */
export const useChosenSlot = (usage: Usage) => {
  const [chosen, onChoose] = useState<number | null>(null)
  const slots = buildSlots(usage)
  return { slots, chosen: chosen === null || chosen >= slots.length ? null : chosen, onChoose }
}

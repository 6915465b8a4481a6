import { expect, test } from 'vitest'
import { createStepBudget } from './step-budget.ts'

const after = (tokenMs: number) => {
  const budget = createStepBudget()
  for (let step = 0; step < 50; step += 1) {
    const promptTokens = Math.max(64, budget.promptTokens(true))
    budget.observe({ promptTokens, tookMs: promptTokens * tokenMs })
  }
  return budget
}

test('a step contains as much of the prompts as its time allows, more while answers wait for it too', () => {
  expect(after(1).promptTokens(true)).toBeCloseTo(400, -1)
  expect(after(0.1).promptTokens(true)).toBeCloseTo(4000, -2)
  expect(after(10).promptTokens(true)).toBeCloseTo(40, -1)
  expect(after(1).promptTokens(false)).toBeCloseTo(250, -1)
})

test('steps without a prompt do not count', () => {
  const budget = createStepBudget()
  const before = budget.promptTokens(true)
  budget.observe({ promptTokens: 0, tookMs: 500 })
  budget.observe({ promptTokens: 3, tookMs: 500 })
  expect(budget.promptTokens(true)).toBe(before)
})

test('on a GPU a first prompt is read in large steps, and answers wait for less', () => {
  const [cpu, gpu] = [createStepBudget(), createStepBudget(true)]
  expect(gpu.promptTokens(true)).toBeGreaterThan(4 * cpu.promptTokens(true))
  for (const budget of [cpu, gpu])
    for (let step = 0; step < 50; step += 1) budget.observe({ promptTokens: 64, tookMs: 64 })
  expect(gpu.promptTokens(true)).toBeCloseTo(250, -1)
  expect(cpu.promptTokens(true)).toBeCloseTo(400, -1)
})

import { expect, test } from 'vitest'
import { createStepGate } from './step-gate.ts'
import { watchSteps } from './step-progress.ts'

test('a step counts once it has ended, also with a failure, and until then it is under way', async () => {
  const { step, progress } = watchSteps(createStepGate())
  expect(progress()).toEqual({ steps: 0, isStepping: false })
  const begun = Promise.withResolvers<void>()
  const end = Promise.withResolvers<string>()
  const first = step(() => {
    begun.resolve()
    return end.promise
  })
  await begun.promise
  expect(progress()).toEqual({ steps: 0, isStepping: true })
  end.resolve('done')
  expect(await first).toBe('done')
  await expect(step(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(progress()).toEqual({ steps: 2, isStepping: false })
})

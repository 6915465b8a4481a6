import { expect, test } from 'vitest'
import { modelNamePattern, proposeModelName } from './propose-model-name.ts'

test.each([
  ['Qwen3-4B-Q4_K_M.gguf', 'Qwen3-4B-Q4_K_M'],
  ['large-00001-of-00003.gguf', 'large'],
  ['with space (v2)-Q4_0.GGUF', 'with-space-v2-Q4_0'],
  ['日本語 モデル.gguf', '日本語-モデル'],
  ['か\u3099.gguf', 'が'],
  ["it's [new].gguf", 'it-s-new'],
  ['a--b.gguf', 'a--b'],
  ['../x.gguf', 'x'],
  [`${'x'.repeat(120)}.gguf`, 'x'.repeat(96)],
  ['(!).gguf', ''],
])('for %s, %s is proposed', (fileName, name) => {
  expect(proposeModelName(fileName)).toBe(name)
  if (name !== '') expect(name).toMatch(modelNamePattern)
})

import { expect, test } from 'vitest'
import { OperatorError } from '../../base/operator-error.ts'
import { readModelSource } from './model-source.ts'

const hub = 'https://hub.example'

test('an address names the file and the model', () => {
  const { files, name } = readModelSource('https://example.com/a/My%20Model.Q4_K_M.gguf?download=1#top', hub)
  expect(name).toBe('My-Model.Q4_K_M')
  expect(files.map(({ url, fileName }) => [url.href, fileName])).toEqual([
    ['https://example.com/a/My%20Model.Q4_K_M.gguf?download=1', 'My Model.Q4_K_M.gguf'],
  ])
})

test('hf: is a file of a repository on the hub', () => {
  const { files } = readModelSource('hf:owner/repository/folder/tiny.gguf', hub)
  expect(files[0]?.url.href).toBe('https://hub.example/owner/repository/resolve/main/folder/tiny.gguf')
})

test('a name that is unusual is one that this machine and requests can use', () => {
  const { files, name } = readModelSource(`hf:owner/repository/it's new, & "odd" (v2).GGUF`, hub)
  expect(name).toBe('it-s-new-odd-v2')
  expect(files.map(({ url, fileName }) => [url.pathname, fileName])).toEqual([
    ["/owner/repository/resolve/main/it's%20new%2C%20%26%20%22odd%22%20(v2).GGUF", 'it-s new- - -odd- (v2).gguf'],
  ])
})

test('the first part of a split model stands for all', () => {
  const { files, name } = readModelSource('https://example.com/big-00001-of-00003.gguf', hub)
  expect(name).toBe('big')
  expect(files.map(({ url }) => url.pathname)).toEqual([
    '/big-00001-of-00003.gguf',
    '/big-00002-of-00003.gguf',
    '/big-00003-of-00003.gguf',
  ])
})

test.each([
  ['tiny.gguf', 'not an http'],
  ['file:///etc/passwd', 'not an http'],
  ['hf:owner/repository', 'not an http'],
  ['hf:owner/../x/tiny.gguf', 'not an http'],
  ['https://user:secret@example.com/tiny.gguf', 'password'],
  ['https://example.com/', '.gguf'],
  ['https://example.com/tiny.bin', '.gguf'],
  ['https://example.com/..%2F..%2Fevil.gguf', '.gguf'],
  ['https://example.com/%00.gguf', '.gguf'],
  ['https://example.com/a%00.gguf', '.gguf'],
  ['https://example.com/a%5Cb.gguf', '.gguf'],
  ['https://example.com/.hidden.gguf', '.gguf'],
  ['https://example.com/big-00002-of-00003.gguf', 'first part'],
  ['https://example.com/big-00001-of-99999.gguf', '99999 parts'],
])('%s is refused', (source, message) => {
  expect(() => readModelSource(source, hub)).toThrow(OperatorError)
  expect(() => readModelSource(source, hub)).toThrow(message)
})

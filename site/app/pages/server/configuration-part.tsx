import { useState } from 'react'
import type { ShownSetting } from '../../../../src/platform/contract/server.ts'
import { useWords } from '../../admin-words-context.tsx'
import { Section } from '../../components/section.tsx'
import { Segments } from '../../components/segments.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Tag } from '../../components/tag.tsx'
import { originText } from './setting-origin-text.tsx'

/** Settings that the server reads at startup, read-only, with where each comes from. */
export const ConfigurationPart = ({ settings: all }: { settings: readonly ShownSetting[] }) => {
  const words = useWords()
  const { shell, server } = words
  const settings = all.filter(({ editedIn }) => editedIn === null)
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
      id: 'origin',
      className: 'value',
      head: server.origin,
      labelled: true,
      cell: (setting) => <span className="muted">{setting.isFixed ? setting.place : originText(setting, words)}</span>,
    },
    {
      id: 'default',
      className: 'value',
      head: server.standard,
      labelled: true,
      cell: (setting) => <span className="muted">{setting.default ?? server.notSet}</span>,
    },
    {
      id: 'restart',
      className: 'state',
      end: true,
      head: <span className="visually-hidden">{server.change}</span>,
      cell: () => <Tag state="off">{server.needsRestart}</Tag>,
    },
  ]
  return (
    <Section title={server.configuration} text={server.configurationText(changed.length)}>
      <Segments
        label={server.filter}
        values={['changed', 'all']}
        chosen={isWhole ? 'all' : 'changed'}
        onChoose={(each) => setWhole(each === 'all')}
        text={(each) => (each === 'all' ? shell.all : server.changed)}
      />
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

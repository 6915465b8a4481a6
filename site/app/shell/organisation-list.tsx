import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Check, Plus } from 'lucide-react'
import { useState } from 'react'
import { useAppState } from '../app-state.ts'
import { Button } from '../components/button.tsx'
import { ErrorNotice } from '../components/error-notice.tsx'
import { Field } from '../components/field.tsx'
import { Tag } from '../components/tag.tsx'
import { sessionKey, useSession } from '../session.ts'
import { useWords } from '../words-context.tsx'
import { type Leaving, saveBeforeLeaving, Unsaved, UnsavedNotice } from './unsaved.tsx'

type OrganisationListProps = { onDone(): void; onCreate(): void }

/** A search helps from so many on. */
const searchedFrom = 5

export const OrganisationList = ({ onDone, onCreate }: OrganisationListProps) => {
  const app = useAppState()
  const { team, shell, history } = useWords()
  const { organisation, organisations = [] } = useSession()
  const queryClient = useQueryClient()
  const choose = useMutation({
    async mutationFn({ id, how }: { id: string; how?: Leaving }) {
      // Afterwards it would belong to another organisation.
      await saveBeforeLeaving(app, how)
      return app.platform.switchOrganisation({ params: { organisation: id } })
    },
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: sessionKey })
      onDone()
    },
  })
  const { variables: asked } = choose
  const [typed, setTyped] = useState('')
  const wanted = typed.trim().toLocaleLowerCase()
  const found = organisations.filter(({ id, name }) => `${name} ${id}`.toLocaleLowerCase().includes(wanted))
  return (
    <>
      {organisations.length < searchedFrom ? null : (
        <Field
          label={team.searchOrganisations}
          type="search"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      {found.length === 0 ? (
        <p className="muted" role="status">
          {team.noOrganisationFound}
        </p>
      ) : null}
      <ul className="organisations">
        {found.map(({ id, name, role, members, suspendedAt }) => (
          <li key={id}>
            <button
              type="button"
              aria-current={id === organisation.id ? true : undefined}
              onClick={() => (id === organisation.id ? onDone() : choose.mutate({ id }))}
            >
              <span className="name">{name}</span>
              {suspendedAt === null ? null : <Tag state="bad">{shell.suspended}</Tag>}
              {id === organisation.id ? <Check size={16} strokeWidth={1.5} aria-label={team.current} /> : null}
              <span className="subtext">{team.roleAmong(team.roles[role], members)}</span>
            </button>
          </li>
        ))}
      </ul>
      {choose.error instanceof Unsaved && asked !== undefined ? (
        <UnsavedNotice
          error={choose.error}
          text={history.unsaved.switchText}
          anyway={history.unsaved.switchAnyway}
          onRetry={() => choose.mutate({ id: asked.id })}
          onAnyway={() => choose.mutate({ id: asked.id, how: 'anyway' })}
        />
      ) : choose.isError ? (
        <ErrorNotice error={choose.error} title={team.notSwitched} />
      ) : null}
      <div className="actions">
        <Button onClick={onDone}>{shell.cancel}</Button>
        <Button onClick={onCreate}>
          <Plus size={16} strokeWidth={1.5} aria-hidden />
          {team.create}
        </Button>
      </div>
    </>
  )
}

import { Bookmark, X } from 'lucide-react'
import { useState } from 'react'
import { maxSavedFilters, rememberFilters, type SavedFilter, savedFilters } from '../../../preferences/saved-filters.ts'
import { readView } from '../../address/view-fields.ts'
import { Button } from '../../components/button.tsx'
import { createEndingUndo } from '../../components/create-ending-undo.ts'
import { Dialog } from '../../components/dialog.tsx'
import { DialogForm } from '../../components/dialog-form.tsx'
import { Field } from '../../components/field.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { useToast } from '../../components/toasts.tsx'
import { useSession } from '../../session.ts'
import { useWords } from '../../words-context.tsx'
import { isFiltered, type RequestFilter, requestView } from './request-filter.ts'

type SavedFiltersProps = { filter: RequestFilter; onFilter(filter: RequestFilter): void }

const maxCharacters = 60
const notSent = { isPending: false, error: null }

/** Filters under names of the reader's own, kept in this browser for this account and organisation. */
export const SavedFilters = ({ filter, onFilter }: SavedFiltersProps) => {
  const { requests } = useWords()
  const { account, organisation } = useSession()
  const toast = useToast()
  const owner = `${account.id}-${organisation.id}`
  const [saved, setSaved] = useState(() => savedFilters(owner))
  const [name, setName] = useState<string | null>(null)
  const become = (filters: readonly SavedFilter[]): void => {
    setSaved(filters)
    rememberFilters(owner, filters)
  }
  const save = (): void => {
    const wanted = name?.trim() ?? ''
    if (wanted === '') return
    become([...saved.filter((each) => each.name !== wanted), { name: wanted, address: filter }])
    setName(null)
  }
  const remove = (gone: SavedFilter): void => {
    become(saved.filter((each) => each !== gone))
    const bringBack = (): void => become([...savedFilters(owner).filter((each) => each.name !== gone.name), gone])
    toast(requests.filterRemoved(gone.name), createEndingUndo(bringBack))
  }
  const isShown = (each: SavedFilter): boolean => sameFilter(readView(requestView, each.address), filter)
  const maySave = isFiltered(filter) && saved.length < maxSavedFilters && !saved.some(isShown)
  if (saved.length === 0 && !maySave) return null
  return (
    <div className="saved-filters">
      {saved.length === 0 ? null : (
        <ul aria-label={requests.savedFilters}>
          {saved.map((each) => (
            <li key={each.name} className="chip">
              <button
                type="button"
                className="link"
                aria-pressed={isShown(each)}
                onClick={() => onFilter(readView(requestView, each.address))}
              >
                {each.name}
              </button>
              <IconButton label={requests.removeFilter(each.name)} onClick={() => remove(each)}>
                <X size={14} strokeWidth={1.5} aria-hidden />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      {maySave ? (
        <Button look="plain" onClick={() => setName('')}>
          <Bookmark size={16} strokeWidth={1.5} aria-hidden />
          {requests.saveFilter}
        </Button>
      ) : null}
      <Dialog isOpen={name !== null} title={requests.saveFilterTitle} onClose={() => setName(null)}>
        <DialogForm
          submit={requests.saveFilterNow}
          request={notSent}
          isReady={name !== null && name.trim() !== ''}
          onSubmit={save}
          onCancel={() => setName(null)}
        >
          <Field
            label={requests.filterName}
            help={requests.filterNameHelp}
            value={name ?? ''}
            maxLength={maxCharacters}
            autoComplete="off"
            autoFocus
            onChange={(event) => setName(event.target.value)}
          />
        </DialogForm>
      </Dialog>
    </div>
  )
}

const sameFilter = (one: RequestFilter, other: RequestFilter): boolean =>
  Object.entries(one).every(([name, value]) => Reflect.get(other, name) === value)

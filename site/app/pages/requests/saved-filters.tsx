import { Bookmark, X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
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
import { isFiltered, noFilter, type RequestFilter, requestView } from './request-filter.ts'

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
  const row = useRef<HTMLDivElement>(null)
  const [left, setLeft] = useState<'changed' | 'cleared' | null>(null)
  // The button that had the focus is gone: the filter that is shown takes it, or what stands next to it.
  useEffect(() => {
    if (left === null || (left === 'cleared' && isFiltered(filter))) return
    setLeft(null)
    const next =
      row.current?.querySelector<HTMLElement>('[aria-pressed="true"]') ?? row.current?.querySelector('button')
    // Not the field of the search, which would open the keyboard of a phone.
    ;(next ?? document.querySelector<HTMLElement>('.requests-filter select'))?.focus()
  }, [left, filter])
  const become = (filters: readonly SavedFilter[]): void => {
    setSaved(filters)
    rememberFilters(owner, filters)
  }
  const save = (): void => {
    const wanted = name?.trim() ?? ''
    if (wanted === '') return
    become([...saved.filter((each) => each.name !== wanted), { name: wanted, address: filter }])
    setName(null)
    setLeft('changed')
  }
  const remove = (gone: SavedFilter): void => {
    become(saved.filter((each) => each !== gone))
    setLeft('changed')
    const bringBack = (): void => become([...savedFilters(owner).filter((each) => each.name !== gone.name), gone])
    toast(requests.filterRemoved(gone.name), createEndingUndo(bringBack))
  }
  const isShown = (each: SavedFilter): boolean => sameFilter(readView(requestView, each.address), filter)
  const mayClear = isFiltered(filter)
  const isUnsaved = mayClear && !saved.some(isShown)
  const replaced = saved.some((each) => each.name === name?.trim())
  const clear = (): void => {
    onFilter(noFilter)
    setLeft('cleared')
  }
  if (saved.length === 0 && !mayClear) return null
  return (
    <div className="saved-filters" ref={row}>
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
      {isUnsaved && saved.length >= maxSavedFilters ? (
        <span className="subtext">{requests.filtersFull(maxSavedFilters)}</span>
      ) : null}
      {isUnsaved && saved.length < maxSavedFilters ? (
        <Button look="plain" onClick={() => setName('')}>
          <Bookmark size={16} strokeWidth={1.5} aria-hidden />
          {requests.saveFilter}
        </Button>
      ) : null}
      {mayClear ? (
        <Button look="plain" onClick={clear}>
          <X size={16} strokeWidth={1.5} aria-hidden />
          {requests.clearFilters}
        </Button>
      ) : null}
      <Dialog isOpen={name !== null} title={requests.saveFilterTitle} onClose={() => setName(null)}>
        <DialogForm
          submit={replaced ? requests.replaceFilter : requests.saveFilterNow}
          request={notSent}
          isReady={name !== null && name.trim() !== ''}
          onSubmit={save}
          onCancel={() => setName(null)}
        >
          <Field
            label={requests.filterName}
            help={replaced ? requests.filterReplaced : requests.filterNameHelp}
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

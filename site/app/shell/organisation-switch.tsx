import { Building2, ChevronsUpDown } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Dialog } from '../components/dialog.tsx'
import { useSession } from '../session.ts'
import { useWords, WithAllWords } from '../words-context.tsx'

/** Loaded when the list is opened for the first time. */
const CreateOrganisationForm = lazy(async () => ({
  default: (await import('./create-organisation-form.tsx')).CreateOrganisationForm,
}))
const OrganisationList = lazy(async () => ({ default: (await import('./organisation-list.tsx')).OrganisationList }))

/** Shows the current organisation and switches to another. */
export const OrganisationSwitch = () => {
  const { shell } = useWords()
  const { organisation } = useSession()
  const [shows, setShows] = useState<'nothing' | 'list' | 'form'>('nothing')
  const close = (): void => setShows('nothing')
  return (
    <>
      <button type="button" className="organisation-switch" title={organisation.name} onClick={() => setShows('list')}>
        <Building2 size={18} strokeWidth={1.5} aria-hidden />
        <span className="visually-hidden">{shell.switchOrganisation}</span>
        <span className="name ellipsis">{organisation.name}</span>
        <ChevronsUpDown className="more" size={14} strokeWidth={1.5} aria-hidden />
      </button>
      <Dialog
        isOpen={shows !== 'nothing'}
        title={shows === 'form' ? shell.createOrganisation : shell.chooseOrganisation}
        onClose={close}
      >
        <Suspense fallback={null}>
          <WithAllWords>
            {shows === 'form' ? (
              <CreateOrganisationForm onDone={close} onBack={() => setShows('list')} />
            ) : (
              <OrganisationList onDone={close} onCreate={() => setShows('form')} />
            )}
          </WithAllWords>
        </Suspense>
      </Dialog>
    </>
  )
}

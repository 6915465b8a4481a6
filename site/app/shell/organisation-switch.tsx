import { Building2, ChevronsUpDown } from 'lucide-react'
import { useState } from 'react'
import { Dialog } from '../components/dialog.tsx'
import { useSession } from '../session.ts'
import { useWords } from '../words-context.tsx'
import { CreateOrganisationForm } from './create-organisation-form.tsx'
import { OrganisationList } from './organisation-list.tsx'

/** Shows the current organisation and switches to another. */
export const OrganisationSwitch = () => {
  const { team } = useWords()
  const { organisation } = useSession()
  const [shows, setShows] = useState<'nothing' | 'list' | 'form'>('nothing')
  const close = (): void => setShows('nothing')
  return (
    <>
      <button type="button" className="organisation-switch" title={organisation.name} onClick={() => setShows('list')}>
        <Building2 size={18} strokeWidth={1.5} aria-hidden />
        <span className="visually-hidden">{team.switchOrganisation}</span>
        <span className="name ellipsis">{organisation.name}</span>
        <ChevronsUpDown className="more" size={14} strokeWidth={1.5} aria-hidden />
      </button>
      <Dialog
        isOpen={shows !== 'nothing'}
        title={shows === 'form' ? team.createTitle : team.switchTitle}
        onClose={close}
      >
        {shows === 'form' ? (
          <CreateOrganisationForm onDone={close} onBack={() => setShows('list')} />
        ) : (
          <OrganisationList onDone={close} onCreate={() => setShows('form')} />
        )}
      </Dialog>
    </>
  )
}

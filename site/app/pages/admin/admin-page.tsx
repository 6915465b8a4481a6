import { PageHead } from '../../components/page-head.tsx'
import { usePageTitle } from '../../use-page-title.ts'
import { useWords } from '../../words-context.tsx'

export const AdminPage = () => {
  const { shell } = useWords()
  usePageTitle(shell.admin)
  return (
    <div className="page">
      <PageHead title={shell.admin} lede={shell.admin} />
    </div>
  )
}

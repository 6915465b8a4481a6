import type { ReactNode } from 'react'
import { useMay } from '../role.ts'
import { usePageTitle } from '../use-page-title.ts'
import { useWords } from '../words-context.tsx'
import { PageHead } from './page-head.tsx'

/** A page for those whose role allows the playground. Viewers read so, instead of pressing what the server refuses. */
export const MemberPage = ({ title, children }: { title: string; children: ReactNode }) =>
  useMay()('usePlayground') ? children : <NotAllowed title={title} />

const NotAllowed = ({ title }: { title: string }) => {
  const { errors } = useWords()
  usePageTitle(title)
  return (
    <div className="page">
      <PageHead title={title} lede={errors.role_too_low} />
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import '../../../styles/catalogue.css'
import { useWords } from '../../admin-words-context.tsx'
import { usePlatform } from '../../app-state.ts'
import { LedeText } from '../../components/lede-text.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { catalogueLede } from '../../ledes/admin-ledes.ts'
import { useSession } from '../../session.ts'
import { usePageTitle } from '../../use-page-title.ts'
import { CatalogueList } from './catalogue-list.tsx'

/** For every member: the models that requests can name, what each costs and can do, and how fast it was. */
export const CataloguePage = () => {
  const { shell, catalogue } = useWords()
  const platform = usePlatform()
  const { organisation, account } = useSession()
  usePageTitle(shell.models)
  const query = useQuery({
    queryKey: ['catalogue', organisation?.id],
    queryFn: ({ signal }) => platform.listCatalogue({ signal }),
    refetchInterval: 33_000,
  })
  return (
    <div className="page">
      <PageHead
        title={shell.models}
        lede={
          query.data === undefined ? (
            <span className="skeleton-line" />
          ) : (
            <LedeText parts={catalogueLede(query.data.data, { catalogue })} />
          )
        }
      />
      {account.isOwner ? (
        <p className="secondary small">
          <Link className="link" to="/admin/models">
            {catalogue.manage}
          </Link>
        </p>
      ) : null}
      <Loaded query={query} errorTitle={catalogue.notLoaded} lines={6}>
        {({ data, currency }) => <CatalogueList models={data} currency={currency} />}
      </Loaded>
    </div>
  )
}

import type { PublicWords } from '../../words.ts'

export const limits: PublicWords['limits'] = {
  title: '利用上限',
  description: 'Helixの利用上限の種類と対象、数え方、上限に達したときの動作をまとめています。',
  lead: '上限を設けられるのは8項目です。',
  leadRest: 'キー、組織、サーバーのすべての上限に収まるリクエストだけを受け付けます。',
  what: '上限の種類',
  whatText:
    '既定値は組織ごとの値で、サーバーの所有者が組織に別の値を設定するまで有効です（所有者自身の組織には適用されません）。キーとサーバー全体には、設定しない限り上限はありません。',
  name: '項目',
  counts: '数える対象',
  standard: '既定値',
  noLimit: '上限なし',
  kinds: {
    requestsPerMinute: {
      name: '1分あたりのリクエスト数',
      counts: '任意の60秒間に受け付けたリクエスト。',
    },
    tokensPerMinute: {
      name: '1分あたりのトークン数',
      counts: '実行中のリクエストの予約分と、直近60秒に終わったリクエストの使用分。',
    },
    requestsInFlight: {
      name: '同時リクエスト数',
      counts: '実行中、順番待ち、または本文を送信中のリクエスト。',
    },
    requestsPerDay: {
      name: '1日あたりのリクエスト数',
      counts: 'その日の0時以降に終わったリクエストと、実行中のリクエスト。トークン数の計算は含みません。',
    },
    tokensPerDay: {
      name: '1日あたりのトークン数',
      counts: 'その日の0時以降の使用分と、実行中のリクエストの予約分。',
    },
    tokensPerMonth: {
      name: '1か月あたりのトークン数',
      counts: '月初以降の使用分と、実行中のリクエストの予約分。',
    },
    costPerDayMicros: {
      name: '1日あたりの費用',
      counts:
        'その日の0時以降の費用と、実行中のリクエストにかかる費用の最大額。料金が設定されていないモデルは無料です。',
    },
    costPerMonthMicros: {
      name: '1か月あたりの費用',
      counts: '月初以降の費用と、実行中のリクエストにかかる費用の最大額。',
    },
  },
  counting: '数え方',
  held: '処理を始める前に、判定と予約を一度に行います。そのため、いくつのリクエストが同時に届いても上限を超えません。予約するのは、入力のトークン数とmax_completion_tokens（nを指定した場合はそのn倍）です。終了時に使わなかった分は戻るので、max_completion_tokensを小さくすると、同時に実行できるリクエストが増えます。max_completion_tokensを省略した場合は、1日・1か月の上限の残りを超えない範囲で少なめに予約し、回答の生成中に追加で予約します。途中で上限に達すると、回答はそこで終わり、finish_reasonはlengthになります。',
  window:
    '「60秒」に区切りはありません。どの60秒を取っても、上限を超えて受け付けることはありません。日と月は、サーバーのタイムゾーンの0時に切り替わります。拒否されたリクエストは、これらの上限には数えません。ただし、拒否され続けているキーには、本文を読まずに429を返します。',
  yours: '現在の使用量は、コンソールの「上限」ページで確認できます。',
  refusals: '上限に達したとき',
  refusalsText:
    'エラーには、解除まで最も時間のかかる上限が示されます。待てば受け付けられる場合はretry-after（秒）と、正確な待ち時間のretry-after-msが付き、公式クライアントは自動で待って再試行します。待っても受け付けられない場合はx-should-retry: falseが付きます。',
  code: 'コード',
  message: 'メッセージ',
  errorLimitText:
    'これらのエラーには、上限の内容がerror.limitとして付きます。プログラムでメッセージを読み取る必要はありません。/v1/messagesではerror.detailsに入ります。',
  field: '項目',
  limitName:
    '該当する上限。requests_per_minute、tokens_per_minute、requests_in_flight、requests_per_day、tokens_per_day、tokens_per_month、cost_per_day_micros、cost_per_month_microsのほか、refused_requests_per_minute（拒否されたリクエストが多すぎる）とbody_bytes_in_flight（受信中の本文に使えるメモリ）があります。',
  limitScope:
    'どの上限か。key（キー）、organisation（組織）、server（サーバー）のいずれか。body_bytes_in_flightの場合はowner（所有者）またはaddress（アドレス）。',
  limitLimit: '上限の値。費用は通貨の100万分の1単位です。',
  limitUsed: '使用済みと予約済みの合計。',
  limitRequested: 'このリクエストで加わる量。',
  limitResetsAt:
    'リクエストが受け付けられる時刻（Unix時間、秒）。待っても受け付けられない場合や、実行中のリクエストだけが上限を占めている場合はnullです。',
  headers: 'ヘッダー',
  headersText:
    '1分あたりの上限が設定されている場合、トークンを使うすべてのエンドポイントの回答と、429のエラー（受信中の本文のメモリに関するものを除く）に、その状況が付きます。該当する上限が複数あるときは、残りの最も少ないものを示します。保存済みの回答を返すときと、ほかのエラーには付きません。',
  header: 'ヘッダー',
  meaning: '意味',
  headerLimit: '1分あたりの上限。',
  headerRemaining: '現在の残り。',
  headerReset: 'このあと何も送らなければ、全量が戻るまでの時間。17ms、1.5s、1m0sのような形です。',
  headerScope: 'どの上限か。key（キー）、organisation（組織）、server（サーバー）のいずれか。',
}

/** What each setting is for, by its name, for the table of settings. A test checks that every setting has one. */
export const descriptions: Readonly<Record<string, string>> = {
  host: '待ち受けるアドレスです。',
  port: '待ち受けるポートです。0の場合は、空いているポートを選びます。',
  workers:
    '接続を受け付け、上流のモデルへのリクエストを処理するスレッドの数です。起動時に決まります（[Helixの運用](operating.md#workers)）。1の場合は、メインスレッドが処理します。',
  dataDir:
    'データベース（`store`を設定しない場合）、モデル、`secrets.key`、ロックファイル、制御用のソケットを置くディレクトリです。',
  store:
    'データディレクトリのデータベースの代わりに使うPostgreSQL（14以降）のデータベースです。例：`postgres://helix:password@db.example.com/helix?sslmode=verify-full`',
  storePoolSize:
    'クエリに使う、PostgreSQLへの最大接続数です。このほかに、`redis`のないサーバーどうしがデータベースを同時に使わないようロックを保持する接続が1つあります。',
  metricsPort:
    '`GET /metrics`のポートです。Prometheusが読み取れるOpenMetrics形式で提供します。0の場合は、空いているポートを選びます。',
  metricsHost:
    '`metricsPort`で待ち受けるアドレスです。キーは不要なため、監視システムだけが接続できるようにしてください。',
  metricsOrganisations: 'リクエスト数、トークン数、費用を個別にメトリクスに含める組織のIDです。',
  tracesEndpoint:
    'トレースをOTLP/HTTPで送る、OpenTelemetryのコレクターです。例：`http://127.0.0.1:4318`。末尾に`/v1/traces`が付きます。',
  tracesHeaders: 'コレクターに送るヘッダーです。例：`authorization=Bearer%20abc`',
  tracesSampleRatio: '保存するトレースの割合です。失敗したリクエストと遅いリクエストのトレースは、常に保存されます。',
  tracesSlowMs: 'この時間以上かかったリクエストを、遅いものとして扱います。0の場合は、どれも遅いとはみなしません。',
  tracesTrustCallers:
    '`traceparent`ヘッダーのあるリクエストを呼び出し元のトレースに含め、呼び出し元が保存する場合は保存します。0の場合は、リクエストごとに新しいトレースを始め、呼び出し元のトレースへのリンクを付けます。',
  tracesContent:
    'トレースに入力と回答のテキストを含めます（それぞれ32,768文字まで）。トレースを読める人は、誰でもその内容を読めます。',
  tracesServiceName: 'トレースでのサービスの名前（`service.name`）です。',
  tracesResource: 'トレースに付ける、このサーバーの追加の属性です。例：`deployment.environment.name=production`',
  nodeName: '「ノード」ページ、`helix nodes`、ログに表示する、このサーバーの名前です。',
  storeTimeoutMs: 'PostgreSQLでの1つの文の最長実行時間です。',
  storeOutageMinutes:
    'PostgreSQLに接続できない間、リクエストの処理を続ける時間です。直前に確認したAPIキーのリクエストだけを処理し、記録は、書き込めるようになるまでローカルのディスクに保存します。0の場合は、すぐに拒否します。',
  secretKey:
    '認証アプリとWebhookのシークレット、追加した上流のキーを暗号化する鍵です。データディレクトリの`secrets.key`の代わりに使います。クラスターのすべてのノードで同じものが必要です。`openssl rand -base64 32`で作成できます。',
  nextSecretKey:
    '`secretKey`と併せて受け付ける鍵です。`helix secrets rotate`で`secretKey`と置き換わります（[シークレット](operate/secrets.md)）。',
  redis:
    'クラスターの全ノードの上限を保持するRedisまたはValkey（7以降）です。例：`rediss://helix:password@redis.example.com:6379`。カンマで区切って複数指定すると、Redisクラスターのノードとして扱います。`store`が必要です。',
  redisPrefix:
    'Redisのすべてのキーとチャンネルの接頭辞です。1つのRedisを共有するクラスターどうしでは別のもの、1つのクラスターのノードでは同じものにします。',
  redisTimeoutMs:
    'Redisの1つのコマンドの最長時間です。これを超えると、再び使えるようになるまで、Redisを利用できないものとして扱います。',
  limitsWithoutRedis:
    'Redisを利用できない間の動作です。`share`では、各ノードが、1分あたりの上限と同時リクエスト数のうち自分の分を受け付けます。`closed`では、これらの上限のあるリクエストを拒否します。利用枠のあるリクエストは、どちらの場合も拒否します。',
  tls: '`self-signed`では、このマシンでHTTPSを試すための証明書を、データディレクトリに作成します。',
  tlsCert: '証明書チェーン（PEM）です。`tlsKey`とともに指定すると、HTTPSが有効になります。',
  tlsKey: '`tlsCert`の秘密鍵（PEM）です。どちらのファイルも、変更されると再読み込みされます。',
  allowPlaintext:
    'ほかのマシンから接続できるアドレスで、平文のHTTPを許可します。TLSを終端するプロキシを使う場合のためのものです。',
  publicUrl:
    'サーバーの公開URLです。ホストとポートから決まるものと異なる場合に指定します。ほかのホスト宛てのリクエストは拒否されます。',
  sourceUrl:
    'このサーバーのソースコードのURLです（フォークのリポジトリなど）。公開ページのフッターにリンクが表示されます。',
  trustedProxies: '転送ヘッダーを信頼するプロキシの、IPアドレスまたはCIDR範囲です。',
  corsOrigins:
    'ブラウザーからAPIを呼び出すことを許可するオリジン（CORS）です。`*`ではすべてを許可し、空の場合はどれも許可しません。',
  signUp:
    'サーバーに所有者がいるとき、アカウントを作成できる人です。`open`では誰でも、`invitation`では招待された人だけが作成でき、`closed`では誰も作成できません。',
  signUpsPerHour: '1つのIPアドレスから1時間に作成できるアカウントの最大数です。',
  organisationsPerAccount: '1つのアカウントが所有できる組織の最大数です。上限は組織ごとに適用されます。',
  smtpUrl:
    'パスワードの再設定、メールアドレスの確認、招待、イベントの通知に使うメールサーバーです。例：`smtps://user:password@mail.example.com`',
  mailFrom: 'メールの差出人です。例：`Helix <helix@example.com>`。`smtpUrl`を設定する場合は必須です。',
  webhookNetworks:
    'Webhookの送信先として許可する、内部のネットワークのIPアドレスまたはCIDR範囲です。平文のHTTPも許可されます。例：`10.0.0.0/8`（[Webhookとメール通知](webhooks.md#networks)）',
  webhookRetentionDays: 'Webhookのイベントと配信のログを保存する日数です。',
  githubClientId: 'GitHubでのサインイン：OAuthアプリのクライアントIDです（[サインイン方法](sign-in.md)）。',
  githubClientSecret: 'GitHubのOAuthアプリのクライアントシークレットです。',
  githubUrl: 'GitHubまたはGitHub Enterprise ServerのURLです。',
  githubApiUrl: 'GitHubのAPIのURLです。',
  googleClientId: 'Googleでのサインイン：OAuthクライアントのクライアントIDです。',
  googleClientSecret: 'GoogleのOAuthクライアントのクライアントシークレットです。',
  oidcIssuer: 'OpenID Connectのプロバイダーでのサインイン：発行者（issuer）のURLです。例：`https://id.example.com`',
  oidcClientId: 'OpenID ConnectのプロバイダーでのクライアントIDです。',
  oidcClientSecret: 'OpenID Connectのプロバイダーでのクライアントシークレットです。',
  oidcName: 'サインインのボタンに表示する、OpenID Connectのプロバイダーの名前です。',
  model: '`model.json`を含むモデルフォルダー、またはGGUFファイルのパスです。',
  models:
    '提供するモデルです。例：`[{"name": "small", "path": "/models/small.gguf", "aliases": ["tiny"], "default": true}]`（[モデルの提供](models.md)）。設定した場合、付属のモデルは、一覧に含めない限り提供されません。',
  modelIdleMinutes:
    'リクエストのないモデルをメモリから解放するまでの分数です。0の場合は解放しません。既定のモデルには適用されません。',
  modelMemoryLimitBytes:
    '読み込まれたすべてのモデルが使えるメモリの合計です。足りない場合は、リクエストのないモデルを、最後に使われた時刻が古いものから解放します。',
  defaultModel:
    'エンジンノードが提供するモデルを既定にする場合の、そのモデルの名前です。`models`や`upstreams`の指定より優先され、`model`のモデルはこのマシンに読み込まれません。`redis`が必要です（[Helixの運用](operating.md#engine-nodes)）。',
  modelName: 'GGUFファイルまたは上流のモデルを提供するときの名前です。',
  contextTokens:
    'コンテキスト長（入力と回答を合わせた最大トークン数）です。既定のモデルの学習時の長さを超えると、サーバーは起動しません。',
  engineSlots: '各モデルが同時に生成する回答の数です。',
  engineThreads: '内蔵エンジンが使うスレッドの数です。CPUのコア数より多くすると、大幅に遅くなります。',
  engineGpu:
    '内蔵エンジンをGPUで実行します。追加のパッケージが必要です（[Helixの運用](operating.md#gpu)）。`1`の場合、GPUを使えなければ、警告とともにCPUで実行します。`required`（コマンドラインでは指定できません）の場合は、モデルが拒否され、サーバーは起動しません。',
  engineLibraries:
    'パッケージのライブラリの代わりに使う、自分でビルドしたllama.cppのフォルダーです（[Helixの運用](operating.md#your-own-build-of-llamacpp)）。',
  engineGpuLayers:
    '`engineGpu`が有効な場合に、GPUで実行するモデルのレイヤー数です。出力も1つと数えます。指定した数がGPUのメモリに収まらないモデルは拒否されます。',
  engineGpuSplitMode:
    '複数のGPUでモデルを分担する方法です。レイヤーごと（`layer`）、行列の行ごと（`row`）、分担しない（`none`。`engineMainGpu`だけを使う）のいずれかです。',
  engineMainGpu: '`engineGpuSplitMode`が`none`の場合に使うGPU、`row`の場合に中間結果に使うGPUの番号です。',
  engineCacheType: 'KVキャッシュの精度です。`q8_0`では、メモリが約半分になります。Flash Attentionが必要です。',
  engineFlashAttention: '内蔵エンジンのFlash Attentionです。`auto`では、モデルが対応していれば有効になります。',
  engineSpeculation:
    '生成中の回答が1つだけの間、内蔵エンジンが、それまでのテキストの繰り返しになるトークンを先読みするかどうかです。回答は変わりません。`auto`では、速くなる間だけ先読みします。',
  engineSilenceLimitMs:
    '内蔵エンジンのプロセスが反応しない場合に、強制終了して再起動するまでの時間です。モデルの読み込み中は5倍になります。',
  engineNodeHost: '`helix engine`が待ち受けるアドレスです。',
  engineNodePort: '`helix engine`が待ち受けるポートです。0の場合は、空いているポートを選びます。',
  engineNodeUrl:
    'クラスターのサーバーがこの`helix engine`に接続するアドレスです。例：`https://10.0.0.7:8443`。すべてのアドレスで待ち受ける場合は必須です。',
  upstreamUrl: '内蔵のモデルの代わりに使う、OpenAI互換のエンジンのベースURL（末尾は`/v1`）です。',
  upstreamModel: '上流でのモデルの名前です。`upstreamUrl`を設定する場合は必須です。',
  upstreamKey: '上流のAPIキーです。Bearerトークンとして送られます。',
  upstreamKind:
    '上流の種類です。リクエストの任意項目のうち、上流が受け付けるものが決まります（[上流サーバー](upstreams.md#kinds)）。',
  upstreamFeatures:
    '種類で決まるものの代わりに指定する、上流が受け付ける任意項目です。ほかの項目を含むリクエストは拒否されます。',
  upstreamCapabilities:
    '上流へのメッセージに、テキスト以外に含められるものです。画像、上流が取得する画像のアドレス、音声があります。',
  upstreams:
    'このマシンのモデルと並べて使う上流です。例：`[{"name": "gpu", "url": "http://10.0.0.5:8000/v1", "keyFrom": "GPU_KEY", "models": ["qwen"]}]`（[上流サーバー](upstreams.md)）',
  modelHubUrl: '`helix models pull hf:OWNER/REPOSITORY/FILE`で使うモデルハブです。',
  modelHubToken: '公開されていないファイルのための、モデルハブのアクセストークンです。',
  requestsPerMinute: 'すべての組織の合計の、1分あたりのリクエスト数です。0は上限なしです。',
  tokensPerMinute: 'すべての組織の合計の、1分あたりのトークン数です。0は上限なしです。',
  requestsInFlight: 'すべての組織の合計の、同時リクエスト数です。0は上限なしです。',
  requestsPerDay: 'すべての組織の合計の、1日あたりのリクエスト数です。0は上限なしです。',
  tokensPerDay: 'すべての組織の合計の、1日あたりのトークン数です。0は上限なしです。',
  tokensPerMonth: 'すべての組織の合計の、1か月あたりのトークン数です。0は上限なしです。',
  costPerDay: 'すべての組織の合計の、1日あたりの費用です。`currency`の単位で指定します。0は上限なしです。',
  costPerMonth: 'すべての組織の合計の、1か月あたりの費用です。`currency`の単位で指定します。0は上限なしです。',
  organisationRequestsPerMinute:
    '1つの組織の、1分あたりのリクエスト数の既定値です。サーバーの所有者は、組織ごとに別の上限を設定できます。0は上限なしです。',
  organisationTokensPerMinute: '1つの組織の、1分あたりのトークン数の既定値です。0は上限なしです。',
  organisationRequestsInFlight: '1つの組織の、同時リクエスト数の既定値です。0は上限なしです。',
  organisationRequestsPerDay: '1つの組織の、1日あたりのリクエスト数の既定値です。0は上限なしです。',
  organisationTokensPerDay: '1つの組織の、1日あたりのトークン数の既定値です。0は上限なしです。',
  organisationTokensPerMonth: '1つの組織の、1か月あたりのトークン数の既定値です。0は上限なしです。',
  organisationCostPerDay: '1つの組織の、1日あたりの費用の既定値です。`currency`の単位で指定します。0は上限なしです。',
  organisationCostPerMonth:
    '1つの組織の、1か月あたりの費用の既定値です。`currency`の単位で指定します。0は上限なしです。',
  answerReservationTokens:
    '`max_completion_tokens`のないリクエストで、選択肢ごとに一度に予約するトークン数です。使い切ると、同じ量を追加で予約します。',
  refusedRequestsPerMinute:
    '1つのキーの、1分あたりの拒否されたリクエスト数です。これを超えると、そのキーのリクエストは本文を読む前に拒否されます。本文の大きいリクエストは、かかったCPU時間2 msごとに1件と数えます。0は上限なしです。',
  organisationRefusedRequestsPerMinute:
    '1つの組織のすべてのキーとプレイグラウンドの合計の、1分あたりの拒否されたリクエスト数です。0は上限なしです。',
  currency: 'すべての料金、費用、利用枠の通貨（ISO 4217のコード）です。表示だけに使われ、換算は行われません。',
  prices:
    'モデルの名前ごとの、100万トークンあたりの料金です（`currency`の単位）。例：`{"helix-v1": {"prompt": 0.1, "cached": 0.02, "completion": 0.4}}`（[上限の詳細](limits.md#prices-and-costs)）',
  hostedPrices:
    '外部のモデルの料金を含むJSONファイルです。`preset`を指定した上流の、個別の料金がないモデルに適用されます（[上流サーバー](upstreams.md#prices-of-hosted-models)）。',
  timeZone: '利用枠と使用量の、日と月の区切りに使うタイムゾーンです。',
  resumeGraceMs: 'Idempotency-Keyの付いたリクエストで、クライアントの切断後に回答の生成を続ける時間です。',
  replayRetentionHours: 'Idempotency-Keyの付いたリクエストへの回答を、再送のために保存する時間です。',
  replayAnswerLimitBytes:
    '再送のために保存する回答の最大の大きさです。これを超える回答は、クライアントがまだ受け取っていない部分だけを保持します。',
  replayMemoryLimitBytes: '再送に使うメモリの最大量です。',
  replayDiskLimitBytes: '再送のために保存する回答に使うディスク容量の最大量です。',
  hooks:
    '回答する前のリクエストと、送信する前の回答を検査するフックです。パターンや既知の形のシークレットを伏せ字にするか遮断し、HTTPサーバーに判断させることもできます（[フック](hooks.md)）。',
  hookSecret:
    'HTTPフックへのリクエストに、Webhookと同じ方法で署名するためのシークレットです。`whsec_`に続けて、24〜64バイトをBase64で指定します。入れ替える間は、カンマで区切って2つ指定できます（[フック](hooks.md)）。',
  cacheModels:
    '回答をキャッシュするモデルです。`temperature`が0であるか、ヘッダー`x-helix-cache: on`の付いたリクエストについて、同じ組織の同じリクエストに同じ回答を返します。`*`はすべてのモデルを表します（[回答キャッシュ](cache.md)）。',
  cacheKeys: 'モデルにかかわらず、リクエストへの回答をキャッシュするAPIキーのIDです。',
  cacheStore: 'キャッシュした回答の保存場所です。`redis`には、クラスターのRedis（設定`redis`）が必要です。',
  cachePricePercent: 'キャッシュから返した回答の料金です。モデルの料金に対する割合（%）で指定します。',
  cacheRetentionHours: '回答をキャッシュに保存する時間です。',
  cacheLimitBytes: 'キャッシュの最大の大きさです。超えると、最も多く使っている組織の古い回答から削除します。',
  cacheAnswerLimitBytes: 'キャッシュする1つの回答の最大の大きさです。',
  ledgerRetentionDays:
    '拒否されたものを含む個々のリクエストを、リクエストログに保存する日数です。日ごとの合計は無期限に保存されます。',
  ledgerSyncDelayMs:
    'リクエストの終わりから、その記録がSQLiteデータベースのディスクに書き込まれるまでの最長の時間（ミリ秒）です。0のときは、書き込まれてから回答の終わりを送ります。0より大きいときは、停電するとその時間内に終わったリクエストの記録が失われ、課金されません。プロセスが停止しただけなら失われません。PostgreSQLでは、PostgreSQL自身の`synchronous_commit`を設定してください。',
  auditRetentionDays: '監査ログのイベントを保存する日数です。コンソールでは延長のみ可能です。',
  auditFile:
    '監査ログのイベントを追記するファイルです。1行に1つのJSONオブジェクトを書き込みます（[ログ](operate/logs.md#the-audit-log)）。',
  auditSyslog:
    '監査ログのイベントを送るsyslogサーバー（RFC 5424）です。例：`tcp://logs.example.com:514`。`udp://`も使えますが、失われても検知されません。',
  backupDir:
    'SQLiteのデータベースの定期的なバックアップを書き込むフォルダーです（[バックアップと復元](operate/backup.md)）。',
  backupIntervalHours: '`backupDir`への定期的なバックアップの間隔（時間）です。',
  backupsKept: '`backupDir`に残すバックアップの数です。新しいバックアップが完成すると、古いものから削除されます。',
  backupPassphrase:
    'バックアップに含める暗号鍵（`secrets.key`）と設定を暗号化するパスフレーズです。設定しない場合、どちらもバックアップに含まれません。',
  queueLimit: 'スロットを待てるリクエストの最大数です。',
  organisationQueueLimit: '1つの組織、または同じ所有者の組織の合計で、スロットを待てるリクエストの最大数です。',
  queueTimeoutMs: 'リクエストがスロットを待つ最長時間です。',
  organisationWeights:
    'リクエストが待っている間の、エンジンの処理の組織ごとの割り当てです。例：`org_a=4,org_b=0.5`。指定のない組織は1です。',
  reservedSlots:
    'スロットを持たない呼び出し元のために空けておくスロットの数です。その最初のリクエストは、順番を待たずにすぐに始まります。同じ所有者の組織は、1つの呼び出し元として数えます。少なくとも1つのスロットは、空けておかずに使われます。`0`の場合、ほかに誰も待っていなければ、1つの呼び出し元がすべてのスロットを使えます。',
  bodyLimitBytes: 'リクエストの本文の最大の大きさです。',
  strictRequests:
    'モデルへのリクエストに未知の項目があれば拒否します。無効の場合は、未知の項目を無視し、レスポンスヘッダー`x-helix-ignored-fields`で知らせます。クライアントは、ヘッダー`x-helix-strict: 1`で同じ動作を求められます。',
  partLimitBytes:
    'リクエストに含まれる1つの画像または音声の、デコード後の最大の大きさです。本文全体は`bodyLimitBytes`で制限されます。',
  partsLimitBytes: '1つのリクエストに含まれるすべての画像と音声の、合計の最大の大きさです。',
  bodyMemoryLimitBytes:
    'すべてのリクエストの本文に使うメモリの最大量です。最初のバイトの受信から、レスポンスが始まるまで数えます。`bodyMemoryShareBytes`以上の値にします。',
  bodyMemoryShareBytes:
    '`bodyMemoryLimitBytes`のうち、1つのクライアントアドレスまたは1つの組織が使える最大量です。`bodyLimitBytes`以上の値にします。',
  answerLimitBytes:
    'ストリームでない、または保存される1つのレスポンスに使うメモリの最大量です。すべての選択肢と対数確率を含みます。',
  answerBufferLimitBytes:
    '遅いクライアントがまだ受け取っていない出力に使うメモリの最大量です。超えると、生成はクライアントの受信を待ちます。ストリームでないレスポンスに含まれる、入力の対数確率も数えます。そのための空きがない場合、リクエストは拒否されます。',
  headerLimitBytes: 'リクエストヘッダーの最大の大きさです。',
  headersTimeoutMs: 'リクエストヘッダーの受信にかけられる最長時間です。',
  bodyTimeoutMs: 'リクエスト全体の受信にかけられる最長時間です。',
  idleTimeoutMs: 'リクエストのないキープアライブ接続を保つ時間です。',
  generationTimeoutMs:
    '1つのリクエストの最長時間です。スロットを待つ時間を含み、ほかの回答のために一時停止している時間は含みません。',
  heartbeatMs:
    'ストリームで何も送らない時間が続いたときに、pingを送るまでの時間です。最初のトークンの前にも適用されます。',
  stallTimeoutMs: 'クライアントがストリームを読まなくなってから、接続を閉じるまでの時間です。',
  shutdownGraceMs: '停止するときに、実行中のリクエストの完了を待つ時間です。',
  shutdownDelayMs:
    'ロードバランサーが`/readyz`を要求している場合に、SIGTERMのあと、`/readyz`で503を返しながらすべてのリクエストの処理を続ける時間です。`shutdownGraceMs`に含まれます。',
  apiKey: '`helix chat`が、一時的なキーを作成する代わりに使うAPIキーです。',
  logLevel: 'ログに書き込むイベントの最低レベルです。`warn`または`error`の場合、成功したリクエストは記録されません。',
  logFormat:
    'ログの形式です。JSONの行、または読みやすいテキストです。`auto`では、ターミナルではテキスト、それ以外ではJSONになります。',
}

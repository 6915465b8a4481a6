/** The kinds and defaults of settings in words, by their English text. */
export const values: Readonly<Record<string, string>> = {
  'a string': '文字列',
  'an email address, with or without a name': 'メールアドレス（名前を付けてもよい）',
  'a path': 'パス',
  'a postgres:// URL with a host and a database': 'ホストとデータベースを含むpostgres://のURL',
  'a list (comma-separated, or a JSON array of strings)': 'リスト（カンマ区切り、または文字列のJSON配列）',
  'an http:// or https:// URL without query or fragment': 'クエリもフラグメントもないhttp://またはhttps://のURL',
  'an http:// or https:// URL without a path, query or fragment':
    'パス、クエリ、フラグメントのないhttp://またはhttps://のURL',
  'NAME=VALUE, several separated by commas, or a JSON object of strings':
    'NAME=VALUE（複数ある場合はカンマ区切り）、または文字列のJSONオブジェクト',
  '1 or 0 (true or false)': '1または0（trueまたはfalse）',
  '1 or 0 (true or false) or required': '1または0（trueまたはfalse）、required',
  '32 bytes in base64': '32バイトをBase64で表したもの',
  'a redis:// or rediss:// URL with a host, or several of them separated by commas':
    'ホストを含むredis://またはrediss://のURL（複数ある場合はカンマ区切り）',
  'up to 64 characters: letters, digits and . : _ -': '64文字以内（英字、数字、. : _ -）',
  "a list of origins such as https://app.example.com, without a path or trailing '/', or `*`":
    'オリジンのリスト（https://app.example.comなど。パスと末尾の「/」は含まない）、または`*`',
  'a JSON array of objects with `name` and `path`': '`name`と`path`を持つオブジェクトのJSON配列',
  'a JSON array of objects with `name` and `url`': '`name`と`url`を持つオブジェクトのJSON配列',
  'a JSON array of objects with `name`, and `url`, `secrets` or `patterns`':
    '`name`と、`url`、`secrets`、`patterns`のいずれかを持つオブジェクトのJSON配列',
  'a model name: up to 200 printable characters, without ../': 'モデルの名前（印字可能な200文字以内。../は含まない）',
  'an ISO 4217 currency code such as USD or JPY': 'ISO 4217の通貨コード（USD、JPYなど）',
  'a JSON object of prices by model name': 'モデルの名前ごとの料金のJSONオブジェクト',
  'a time zone such as Asia/Tokyo': 'タイムゾーン（Asia/Tokyoなど）',
  '`whsec_` and 24 to 64 bytes in Base64; two, separated by a comma, while it is replaced':
    '`whsec_`に続けて、24〜64バイトをBase64で表したもの。入れ替える間はカンマ区切りで2つ',
  'a tcp:// or udp:// URL with a host and a port': 'ホストとポートを含むtcp://またはudp://のURL',
  'a list of ORGANISATION=WEIGHT, each weight from 0.01 to 100': 'ORGANISATION=WEIGHTのリスト（WEIGHTは0.01〜100）',

  'not set': '未設定',
  '1 without upstreams; otherwise one less than the number of CPU cores, at most 8':
    '上流がなければ1、あればCPUのコア数より1つ少ない数（最大8）',
  'no metrics are served': 'メトリクスを提供しない',
  '`OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` or `OTEL_EXPORTER_OTLP_ENDPOINT`; otherwise there are no traces':
    '`OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`または`OTEL_EXPORTER_OTLP_ENDPOINT`。どちらもなければトレースなし',
  '`OTEL_EXPORTER_OTLP_TRACES_HEADERS` or `OTEL_EXPORTER_OTLP_HEADERS`':
    '`OTEL_EXPORTER_OTLP_TRACES_HEADERS`または`OTEL_EXPORTER_OTLP_HEADERS`',
  '`OTEL_SERVICE_NAME`, or `helix`': '`OTEL_SERVICE_NAME`、なければ`helix`',
  'the host name': 'ホスト名',
  'only public addresses, with HTTPS': '公開アドレスへのHTTPSだけ',
  'the bundled `models/helix-v1`': '付属の`models/helix-v1`',
  'the memory of the machine or container': 'マシンまたはコンテナーのメモリ',
  "the model's own; 8192 for a GGUF file": 'モデル自身の値。GGUFファイルでは8192',
  'number of CPU cores': 'CPUのコア数',
  'all layers, or as many as fit': 'すべてのレイヤー。収まらない場合は、収まる数',
  '`engineNodeHost` and `engineNodePort`': '`engineNodeHost`と`engineNodePort`',
  'those of `upstreamKind`': '`upstreamKind`で決まるもの',
  'those of the upstreams; otherwise none': '上流の料金。なければ料金なし',
  bundled: '付属のもの',
  '`64` for each model, `1024` for each model of upstreams': 'モデルごとに`64`。上流のモデルでは`1024`',
  'as many as `queueLimit`': '`queueLimit`と同じ',
}

const patterns: readonly (readonly [english: RegExp, japanese: string])[] = [
  [/^an integer from (\d+) to (\d+)$/, '$1〜$2の整数'],
  [/^a number from (\d+) to (\d+)$/, '$1〜$2の数値'],
  [/^a number from (\d+) to (\d+) with at most six decimal places$/, '$1〜$2の数値（小数点以下6桁まで）'],
  [/^a list of: (.*)$/, '次のリスト：$1'],
  [/^an smtp:\/\/ or smtps:\/\/ URL; in its query only (.*)$/, 'smtp://またはsmtps://のURL。クエリに使えるのは$1だけ'],
  [/^(`\d+`); no limit for the server owner's organisation$/, '$1。サーバーの所有者の組織では上限なし'],
]

/** Null: there is none. Names and values that are chosen from are the same in every language. */
export const valueInJapanese = (english: string): string | null => {
  const found = values[english]
  if (found !== undefined) return found
  if (/^`[^`]*`$/.test(english)) return english
  if (/^[\w-]+( or [\w-]+)+$/.test(english)) return english.replaceAll(' or ', '、')
  const [pattern, japanese] = patterns.find(([each]) => each.test(english)) ?? []
  return pattern === undefined || japanese === undefined
    ? null
    : english.replace(pattern, japanese).replaceAll(', ', '、')
}

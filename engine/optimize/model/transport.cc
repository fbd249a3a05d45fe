// SPDX-License-Identifier: MIT
#include "engine/optimize/model/transport.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "engine/base/interrupt.h"
#include "engine/base/library_function.h"
#include "engine/base/policy.h"
#include "engine/base/result.h"

namespace rpl::llm {

/// The functions of libcurl that are used, under their names without `curl_`.
struct LibCurl {
  decltype(&::curl_global_init) global_init = nullptr;
  decltype(&::curl_free) free = nullptr;
  decltype(&::curl_getdate) getdate = nullptr;
  decltype(&::curl_easy_init) easy_init = nullptr;
  decltype(&::curl_easy_reset) easy_reset = nullptr;
  decltype(&::curl_easy_cleanup) easy_cleanup = nullptr;
  decltype(&::curl_easy_setopt) easy_setopt = nullptr;
  decltype(&::curl_easy_perform) easy_perform = nullptr;
  decltype(&::curl_easy_getinfo) easy_getinfo = nullptr;
  decltype(&::curl_easy_strerror) easy_strerror = nullptr;
  decltype(&::curl_slist_append) slist_append = nullptr;
  decltype(&::curl_slist_free_all) slist_free_all = nullptr;
  decltype(&::curl_url) url = nullptr;
  decltype(&::curl_url_set) url_set = nullptr;
  decltype(&::curl_url_get) url_get = nullptr;
  decltype(&::curl_url_cleanup) url_cleanup = nullptr;
};

/// The installed library, opened and started when it is first asked for and kept to the end of the program: with the thirty libraries that it
/// needs, linking it would be half of the time that a program waits for before it starts. Fails with missing_capability, each time again.
Result<const LibCurl*> libcurl();

namespace {

bool resolve_all(void* library, LibCurl& out) {
  return find_function(library, "curl_global_init", out.global_init) &&
         find_function(library, "curl_free", out.free) &&
         find_function(library, "curl_getdate", out.getdate) &&
         find_function(library, "curl_easy_init", out.easy_init) &&
         find_function(library, "curl_easy_reset", out.easy_reset) &&
         find_function(library, "curl_easy_cleanup", out.easy_cleanup) &&
         find_function(library, "curl_easy_setopt", out.easy_setopt) &&
         find_function(library, "curl_easy_perform", out.easy_perform) &&
         find_function(library, "curl_easy_getinfo", out.easy_getinfo) &&
         find_function(library, "curl_easy_strerror", out.easy_strerror) &&
         find_function(library, "curl_slist_append", out.slist_append) &&
         find_function(library, "curl_slist_free_all", out.slist_free_all) &&
         find_function(library, "curl_url", out.url) &&
         find_function(library, "curl_url_set", out.url_set) &&
         find_function(library, "curl_url_get", out.url_get) &&
         find_function(library, "curl_url_cleanup", out.url_cleanup);
}

Result<LibCurl> open_libcurl() {
  std::string why;
  for (const char* name : {"libcurl.so.4", "libcurl-gnutls.so.4"}) {
    void* library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    LibCurl out;
    if (library != nullptr && resolve_all(library, out) &&
        out.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK)
      return out;
    const char* said = ::dlerror();
    why += fmt::format("{}{}", why.empty() ? "" : "; ",
                       said != nullptr ? said : fmt::format("{} does not start", name));
  }
  return fail(Errc::missing_capability,
              "libcurl, through which language models are asked, cannot be opened: " + why,
              "apt-get install libcurl4");
}

}  // namespace

Result<const LibCurl*> libcurl() {
  // Never undone, because other threads may be in it when the program ends.
  static const Result<LibCurl> opened = open_libcurl();
  if (!opened) return Failure(opened.error());
  return &*opened;
}

namespace {

struct CloseUrl {
  const LibCurl* curl;
  void operator()(CURLU* url) const { curl->url_cleanup(url); }
};
struct CloseEasy {
  const LibCurl* curl;
  void operator()(CURL* easy) const { curl->easy_cleanup(easy); }
};
struct CloseList {
  const LibCurl* curl;
  void operator()(curl_slist* list) const { curl->slist_free_all(list); }
};

std::string part_of(const LibCurl& curl, CURLU* url, CURLUPart part, unsigned flags = 0) {
  char* text = nullptr;
  if (curl.url_get(url, part, &text, flags) != CURLUE_OK || text == nullptr) return "";
  std::string out = text;
  curl.free(text);
  return out;
}

bool is_loopback(std::string_view host) {
  if (host == "localhost" || host == "[::1]" || host == "::1") return true;
  // libcurl writes addresses such as 127.1 and 0x7f000001 in four parts.
  const bool digits = std::all_of(host.begin(), host.end(),
                                  [](char c) { return c == '.' || (c >= '0' && c <= '9'); });
  return digits && host.starts_with("127.") && std::count(host.begin(), host.end(), '.') == 3;
}

/// One transfer: what libcurl's callbacks work on.
struct Transfer {
  const HttpRequest& request;
  const Transport::Take& take;
  const Monitor& monitor;
  HttpReply reply;
  bool stopped = false;  ///< by `take`

  bool note(std::string_view line) {
    const std::size_t colon = line.find(':');
    if (line.starts_with("HTTP/")) {
      // An interim reply (100 Continue) came before.
      reply = {};
      return true;
    }
    if (colon == std::string_view::npos) return true;
    std::string name(line.substr(0, colon));
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::string_view value = line.substr(colon + 1);
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
    while (!value.empty() && blank(value.front())) value.remove_prefix(1);
    while (!value.empty() && blank(value.back())) value.remove_suffix(1);
    if (name == "content-type") reply.content_type = value;
    if (name == "retry-after") reply.retry_after = value;
    if (name == "retry-after-ms") reply.retry_after_ms = value;
    if (name == "location") reply.location = value;
    return true;
  }

  /// `status`: of the reply that the bytes belong to.
  bool receive(std::string_view bytes, int status) {
    reply.status = status;
    if (reply.body.size() + bytes.size() > request.limits.most_bytes) {
      reply.problem = Problem{
          Trouble::oversize,
          fmt::format("the reply is larger than {} bytes", request.limits.most_bytes), false};
      return false;
    }
    reply.body += bytes;
    monitor.report("receiving the reply", reply.body.size(), 0);
    if (reply.status == 200 && !take(bytes, reply)) stopped = true;
    return !stopped;
  }
};

struct Running {
  const LibCurl& curl;
  Transfer* transfer;
  CURL* easy;

  [[nodiscard]] int status() const {
    long status = 0;
    curl.easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    return static_cast<int>(status);
  }
};

std::size_t on_header(char* data, std::size_t size, std::size_t count, void* running) {
  static_cast<Running*>(running)->transfer->note({data, size * count});
  return size * count;
}

std::size_t on_body(char* data, std::size_t size, std::size_t count, void* running) {
  auto* self = static_cast<Running*>(running);
  return self->transfer->receive({data, size * count}, self->status()) ? size * count : 0;
}

int on_progress(void*, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return interrupt::pending() ? 1 : 0;
}

Problem problem_of(CURLcode code, const std::string& said, const HttpReply& reply) {
  switch (code) {
    case CURLE_ABORTED_BY_CALLBACK:
      return {Trouble::interrupted, "interrupted", false};
    case CURLE_OPERATION_TIMEDOUT:
      return {Trouble::timeout,
              reply.body.empty() ? "the server did not answer in time"
                                 : "the reply did not end in time",
              true};
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_HTTP2_STREAM:
      if (!reply.body.empty())
        return {Trouble::cut_stream,
                fmt::format("the connection broke after {} bytes of the reply", reply.body.size()),
                true};
      return {Trouble::connect, "the connection broke before a reply came: " + said, true};
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_SEND_ERROR:
      return {Trouble::connect, "no connection: " + said, true};
    default:
      return {Trouble::connect, "no connection: " + said, false};
  }
}

class CurlTransport : public Transport {
 public:
  HttpReply post(const HttpRequest& request, const Take& take, const Monitor& monitor) override {
    Transfer transfer{request, take, monitor, {}};
    if (const Status allowed = check_allowed(Capability::network, "asking a language model");
        !allowed) {
      transfer.reply.problem =
          Problem{Trouble::connect, allowed.error().message + "; " + allowed.error().hint, false};
      return std::move(transfer.reply);
    }
    const auto curl = libcurl();
    if (!curl) {
      transfer.reply.problem = Problem{Trouble::connect, curl.error().message, false};
      return std::move(transfer.reply);
    }
    if (!easy_) easy_ = {(*curl)->easy_init(), {*curl}};
    run(**curl, transfer);
    return std::move(transfer.reply);
  }

 private:
  void run(const LibCurl& curl, Transfer& transfer) {
    Running running{curl, &transfer, easy_.get()};
    // The handle keeps its connections for the next request.
    curl.easy_reset(easy_.get());
    const auto headers = header_list(curl, transfer.request);
    set_up(transfer.request, running, headers.get());
    const CURLcode code = curl.easy_perform(easy_.get());
    transfer.reply.status = running.status();
    if (code == CURLE_OK || transfer.stopped || transfer.reply.problem) return;
    transfer.reply.problem = problem_of(code, curl.easy_strerror(code), transfer.reply);
  }

  static std::unique_ptr<curl_slist, CloseList> header_list(const LibCurl& curl,
                                                            const HttpRequest& request) {
    // Without "Expect" the body goes out at once.
    curl_slist* list = curl.slist_append(nullptr, "Expect:");
    for (const std::string& header : request.headers)
      list = curl.slist_append(list, header.c_str());
    return {list, CloseList{&curl}};
  }

  void set_up(const HttpRequest& request, Running& running, curl_slist* headers) {
    const auto set = [&](CURLoption option, auto value) {
      running.curl.easy_setopt(running.easy, option, value);
    };
    set(CURLOPT_URL, request.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_FOLLOWLOCATION, 0L);
    set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_POST, 1L);
    set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body.size()));
    set(CURLOPT_POSTFIELDS, request.body.c_str());
    set(CURLOPT_HTTPHEADER, headers);
    set(CURLOPT_USERAGENT, "rocm-perf-lab");
    set(CURLOPT_ACCEPT_ENCODING, "");
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request.limits.connect.count()));
    set(CURLOPT_TIMEOUT_MS, static_cast<long>(request.limits.total.count()));
    set(CURLOPT_LOW_SPEED_LIMIT, 1L);
    set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(request.limits.silence.count()));
    set(CURLOPT_HEADERFUNCTION, on_header);
    set(CURLOPT_HEADERDATA, &running);
    set(CURLOPT_WRITEFUNCTION, on_body);
    set(CURLOPT_WRITEDATA, &running);
    set(CURLOPT_NOPROGRESS, 0L);
    set(CURLOPT_XFERINFOFUNCTION, on_progress);
    const auto address = check_endpoint(request.url, true);
    if (address && address->loopback) set(CURLOPT_PROXY, "");
  }

  std::unique_ptr<CURL, CloseEasy> easy_{nullptr, CloseEasy{nullptr}};
};

}  // namespace

std::unique_ptr<Transport> make_transport() { return std::make_unique<CurlTransport>(); }

Result<EndpointAddress> check_endpoint(const std::string& url, bool allow_http) {
  const LibCurl& curl = *TRY(libcurl());
  const std::unique_ptr<CURLU, CloseUrl> parsed(curl.url(), {&curl});
  if (curl.url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK) {
    return fail(Errc::usage, "the endpoint is not a URL", "'set llm endpoint https://HOST/v1'");
  }
  const std::string scheme = part_of(curl, parsed.get(), CURLUPART_SCHEME),
                    host = part_of(curl, parsed.get(), CURLUPART_HOST);
  if (scheme != "http" && scheme != "https")
    return fail(Errc::usage,
                fmt::format("an endpoint begins with https:// or http://, not {}://", scheme),
                "'set llm endpoint https://HOST/v1'");
  for (const CURLUPart part :
       {CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_QUERY, CURLUPART_FRAGMENT}) {
    if (part_of(curl, parsed.get(), part).empty()) continue;
    return fail(Errc::usage, "an endpoint holds no user, password, query or fragment",
                "'set llm key-env NAME' names the variable that holds a key");
  }
  EndpointAddress out;
  out.encrypted = scheme == "https";
  out.loopback = is_loopback(host);
  out.origin = fmt::format("{}://{}:{}", scheme, host,
                           part_of(curl, parsed.get(), CURLUPART_PORT, CURLU_DEFAULT_PORT));
  if (!out.encrypted && !out.loopback && !allow_http) {
    return fail(Errc::denied,
                fmt::format("{} is another machine and http is not encrypted", out.origin),
                "use https, or 'set llm allow-http on' if that network is yours");
  }
  return out;
}

std::optional<std::int64_t> http_date(const std::string& text) {
  const auto curl = libcurl();
  const time_t seconds = curl ? (*curl)->getdate(text.c_str(), nullptr) : -1;
  if (seconds == -1) return std::nullopt;
  return std::int64_t{seconds};
}

}  // namespace rpl::llm

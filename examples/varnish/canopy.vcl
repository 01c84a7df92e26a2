# Varnish 7 in front of Canopy: docs/caching.md. The module xkey is in Debian's package varnish-modules.
vcl 4.1;

import std;
import xkey;

backend default {
  .host = "127.0.0.1";
  .port = "8080";
}

# Who may have responses forgotten: the processes of Canopy.
acl purgers {
  "127.0.0.1";
  "::1";
}

sub vcl_recv {
  if (req.method == "PURGE" || req.method == "BAN") {
    if (client.ip !~ purgers) {
      return (synth(405));
    }
    if (req.http.xkey-purge) {
      set req.http.x-gone = xkey.purge(req.http.xkey-purge);
      return (synth(200, "Purged " + req.http.x-gone));
    }
    if (req.method == "BAN") {
      if (req.http.x-ban-tags !~ "^[A-Za-z0-9_|-]+$") {
        return (synth(400));
      }
      if (std.ban("obj.http.Surrogate-Key ~ (^|\s)(" + req.http.x-ban-tags + ")(\s|$)")) {
        return (synth(200));
      }
      return (synth(500, std.ban_error()));
    }
    return (purge);
  }
  if (req.method != "GET" && req.method != "HEAD") {
    return (pass);
  }
  # Whoever has logged in gets nothing from here, and leaves nothing here.
  if (req.http.Authorization || req.http.Cookie ~ "(^|;\s*)(auth_token|canopy_session)=") {
    return (pass);
  }
  # Pages for browsers are made for each of them, and few programs want Markdown. All others get JSON, whatever else they accept.
  if (req.http.Accept ~ "(?i)\b(html|markdown)\b") {
    return (pass);
  }
  if (req.http.Accept ~ "^\s*(\*/\*|application/json)\s*$") {
    unset req.http.Accept;
  }
  unset req.http.Cookie;
  return (hash);
}

sub vcl_hash {
  # The links in responses have the scheme that the client uses.
  hash_data(req.http.X-Forwarded-Proto);
}

sub vcl_backend_response {
  # Only what says so is kept: no errors, no redirects.
  if (bereq.uncacheable || beresp.http.Cache-Control !~ "(s-maxage|max-age)=[1-9]"
      || beresp.http.Cache-Control ~ "private|no-cache|no-store") {
    set beresp.uncacheable = true;
    set beresp.ttl = 10s;
    return (deliver);
  }
  set beresp.http.xkey = beresp.http.Surrogate-Key;
  # Nothing is sent that is too old, not for a moment: dates of publication count.
  set beresp.grace = 0s;
  return (deliver);
}

sub vcl_deliver {
  unset resp.http.xkey;
  unset resp.http.Surrogate-Key;
}

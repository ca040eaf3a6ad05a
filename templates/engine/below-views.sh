# --- below-views
# Mounts what the profile lists below an overlay.
# Reads: entries_below_views.

mount_entries "${entries_below_views[@]}"
